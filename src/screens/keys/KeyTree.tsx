import { type ExtractAtomValue, useAtomValue, useSetAtom } from 'jotai'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { asOfAtom, asOfTxAtom } from '~/atoms/history/as-of'
import {
  addToLevelAtom,
  countPrefixAtom,
  type LevelLine,
  type LevelPage,
  levelName,
  shownLevelsAtom,
} from '~/atoms/keys/levels'
import { additionAtom } from '~/atoms/keys/list'
import { type PastKey, pastListsAtom } from '~/atoms/keys/past-list'
import { changeKeyViewAtom, type KeyView, keyViewAtom } from '~/atoms/keys/view'
import { failureWords, sentence } from '~/atoms/session/failure'
import { betterDelimiter, itemsOf } from '~/immudb/key-levels'
import { counted } from '~/lib/text'
import { Button } from '~/ui/Button'
import { cx } from '~/ui/cx'
import { IconButton } from '~/ui/IconButton'
import { CountIcon } from '~/ui/QueryIcons'
import { Tree, type TreeChildren } from '~/ui/Tree'
import { showToast } from '~/ui/toast'
import { Unanswered } from '~/ui/Unanswered'
import { useKeysAddress } from './address'
import { KeyList } from './KeyList'
import { KeyTreeBar, type Part } from './KeyTreeBar'
import { childrenOf, hiddenWords, lineOfId, type TreeParts } from './tree-nodes'

type Props = {
  /** Null where both are shown. */
  part: Part | null
  onPart: (part: Part) => void
}

/** The keys by their prefixes, as of the moment that is looked at. */
export function KeyTree({ part, onPart }: Props) {
  const { database } = useKeysAddress()
  const view = useAtomValue(keyViewAtom)
  if (view === null) return null
  const isAlone = part === 'tree'
  const bar = <KeyTreeBar key={database} onPart={onPart} part={part} view={view} />
  if (part === null ? !view.isTreeShown : !isAlone) return bar
  return (
    <div
      className={cx(
        'flex flex-col',
        isAlone ? 'min-h-96 grow' : 'h-[44%] min-h-40 shrink-0 border-line border-b',
      )}
    >
      {bar}
      <Levels isAlone={isAlone} key={`${database} ${view.delimiter}`} view={view} />
    </div>
  )
}

/** `isAlone`: the list is not shown below, so it stands in where there is no tree. */
type LevelsProps = { view: KeyView; isAlone: boolean }

function Levels({ isAlone, ...of }: LevelsProps) {
  const tx = useAtomValue(asOfTxAtom)
  const { kind } = useAtomValue(asOfAtom)
  if (tx !== null) return <PastLevels {...of} isAlone={isAlone} tx={tx} />
  if (kind === 'now' || kind === 'period') return <PresentLevels {...of} isAlone={isAlone} />
  return isAlone && <KeyList />
}

/** Which prefixes are open, and what follows from opening one. */
function useOpenPrefixes() {
  const { go } = useKeysAddress()
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const toggle = (id: string, isOpen: boolean) => {
    const prefix = lineOfId(id).bytes
    const next = new Set(open)
    if (isOpen) next.add(prefix)
    else next.delete(prefix)
    setOpen(next)
    // The list below follows the tree.
    if (isOpen) go({ prefix: btoa(prefix) }, { replace: true })
  }
  return { open, toggle }
}

/** Opens keys, and reads on in levels. */
function useLinks(readOn: (prefix: string) => void) {
  const { go } = useKeysAddress()
  return (id: string) => {
    const { kind, bytes } = lineOfId(id)
    if (kind === 'key') go({ key: btoa(bytes), revision: '' })
    else readOn(bytes)
  }
}

function PresentLevels({ view: { delimiter }, isAlone }: LevelsProps) {
  const { database } = useKeysAddress()
  const { open, toggle } = useOpenPrefixes()
  const levels = useAtomValue(useAtomValue(shownLevelsAtom)(database, delimiter, ...open))
  const add = useSetAtom(addToLevelAtom)
  const first = levels.get('')
  const { counts, count } = useCounts(first?.dataUpdatedAt)
  const link = useLinks((prefix) => void add({ prefix, delimiter }))
  // Lines are drawn again only when what they show has changed.
  const nodes = useMemo(
    () => presentNodes(levels, { delimiter, counts, count, isOpen: (prefix) => open.has(prefix) }),
    [levels, delimiter, counts, count, open],
  )
  if (!first?.data) {
    return (
      <div className="p-3">
        {first && <Unanswered asked={first} lines={4} words={failureWords} />}
      </div>
    )
  }
  const { lines, hidden, next } = first.data
  if (isAlone && lines.length + hidden === 0 && next === null) return <KeyList />
  return (
    <Shown
      footer={
        <>
          {isAlone && first.error && (
            <p className="px-3 text-sm text-warning" role="status">
              These are the keys as last read. {sentence(first.error)}
            </p>
          )}
          <BetterDelimiter chosen={delimiter} lines={lines} />
          <Rest
            delimiter={delimiter}
            onCount={() => count('')}
            page={first.data}
            total={counts.get('')}
          />
        </>
      }
      nodes={nodes}
      onLink={link}
      onToggle={toggle}
    />
  )
}

type Levels = ExtractAtomValue<ReturnType<ExtractAtomValue<typeof shownLevelsAtom>>>

function presentNodes(levels: Levels, parts: Omit<TreeParts, 'levelOf'>): TreeChildren {
  return childrenOf('', {
    ...parts,
    levelOf: (prefix) => {
      const asked = levels.get(prefix)
      if (asked?.data) return asked.data
      if (!asked?.error) return 'loading'
      return { error: sentence(asked.error), retry: () => void asked.refetch() }
    },
  })
}

type ShownProps = {
  nodes: TreeChildren
  onToggle: (id: string, open: boolean) => void
  onLink: (id: string) => void
  footer: ReactNode
}

function Shown({ nodes, footer, ...on }: ShownProps) {
  return (
    <>
      <div className="min-h-0 grow">
        <Tree label="Keys" nodes={Array.isArray(nodes) ? nodes : []} {...on} />
      </div>
      {footer}
    </>
  )
}

const none: ReadonlyMap<string, string> = new Map()

/**
 * The numbers of keys below prefixes, as far as they were asked for. Those from before the tree was
 * read, `readAt`, are forgotten: keys may have been written since.
 */
function useCounts(readAt: number | undefined) {
  const ask = useSetAtom(countPrefixAtom)
  const [known, setKnown] = useState({ readAt, counts: none })
  const counts = known.readAt === readAt ? known.counts : none
  const count = useCallback(
    (prefix: string) =>
      void ask(prefix).then(
        (found) =>
          setKnown((now) => ({
            readAt,
            counts: new Map(now.readAt === readAt ? now.counts : none).set(prefix, found),
          })),
        (error: unknown) =>
          showToast({ kind: 'error', text: `The keys were not counted. ${sentence(error)}` }),
      ),
    [ask, readAt],
  )
  return { counts, count }
}

/** Offers another delimiter where the chosen one makes a flat list of keys that have levels. */
function BetterDelimiter({ chosen, lines }: { chosen: string; lines: readonly LevelLine[] }) {
  const change = useSetAtom(changeKeyViewAtom)
  const keys = lines.map((line) => (line.kind === 'key' ? atob(line.key) : line.bytes))
  const better = betterDelimiter(keys, chosen)
  if (better === null) return null
  return (
    <p className="flex flex-wrap items-center gap-2 px-3 pb-1 text-muted text-sm">
      None of these keys has the delimiter.
      <Button onClick={() => change({ delimiter: better })} size="small">
        Use delimiter {better}
      </Button>
    </p>
  )
}

type RestProps = {
  page: LevelPage
  delimiter: string
  /** The number of all keys, where it was asked for. */
  total: string | undefined
  onCount: () => void
}

/** What there is of the first level, and the way to more of it. */
function Rest({ page: { lines, hidden, next }, delimiter, total, onCount }: RestProps) {
  const level = { prefix: '', delimiter }
  const add = useSetAtom(addToLevelAtom)
  const { to, isBusy, error } = useAtomValue(additionAtom)
  const isOurs = to === levelName(level)
  return (
    <footer className="flex min-h-8 shrink-0 flex-wrap items-center gap-2 px-3 py-1 text-muted text-sm">
      <span role="status">
        {levelWords(lines)}
        {next !== null && ', more exist'}
        {total !== undefined &&
          ` of ${counted(BigInt(total), 'key')}, deleted and expired ones included`}
      </span>
      <IconButton icon={<CountIcon />} label="Count all keys" onClick={onCount} size="tiny" />
      {hidden > 0 && <span className="text-warning">{hiddenWords(hidden)}.</span>}
      {isOurs && error !== null && <span className="text-error">{sentence(error)}</span>}
      {next !== null && (
        <span className="ms-auto">
          <Button busy={isOurs && isBusy} onClick={() => void add(level)} size="small">
            Show more
          </Button>
        </span>
      )}
    </footer>
  )
}

function levelWords(lines: readonly LevelLine[]): string {
  const prefixes = lines.filter(({ kind }) => kind === 'prefix').length
  const keys = lines.length - prefixes
  const words = [
    ...(prefixes > 0 ? [counted(prefixes, 'prefix', 'prefixes')] : []),
    ...(keys > 0 || prefixes === 0 ? [counted(keys, 'key')] : []),
  ]
  return words.join(', ')
}

/** The keys of the past, which are all known once they are read. */
function PastLevels({ view: { delimiter }, isAlone, tx }: LevelsProps & { tx: string }) {
  const { database } = useKeysAddress()
  const list = useAtomValue(useAtomValue(pastListsAtom)(database, tx))
  const { open, toggle } = useOpenPrefixes()
  const link = useLinks(() => {})
  const keys = list?.kind === 'done' ? list.keys : noKeys
  const { lines, nodes } = usePastNodes(keys, delimiter, open)
  if (list?.kind !== 'done') {
    if (isAlone) return <KeyList />
    return <p className="px-3 py-1 text-muted text-sm">Read the list below to see its tree.</p>
  }
  return (
    <Shown
      footer={
        <footer className="px-3 py-1 text-muted text-sm" role="status">
          {levelWords(lines)}
        </footer>
      }
      nodes={nodes}
      onLink={link}
      onToggle={toggle}
    />
  )
}

/** The lines of the first level, and the nodes of all that are open; read again when they change. */
function usePastNodes(
  keys: readonly PastKey[],
  delimiter: string,
  open: ReadonlySet<string>,
): { lines: readonly LevelLine[]; nodes: TreeChildren } {
  const bytes = useMemo(() => keys.map(({ key }) => atob(key)), [keys])
  return useMemo(() => {
    const levelOf = (prefix: string) => pastLevel({ keys, bytes }, prefix, delimiter)
    const isOpen = (prefix: string) => open.has(prefix)
    const nodes = childrenOf('', { delimiter, counts: none, isOpen, levelOf })
    return { lines: levelOf('').lines, nodes }
  }, [keys, bytes, delimiter, open])
}

/** `bytes`: the same keys as byte strings. */
type PastKeys = { keys: readonly PastKey[]; bytes: readonly string[] }

function pastLevel({ keys, bytes }: PastKeys, prefix: string, delimiter: string): LevelPage {
  const from = bytes.findIndex((one) => one.startsWith(prefix))
  // They are in order, so those that begin alike stand together.
  const count = bytes.slice(from).findIndex((one) => !one.startsWith(prefix))
  const inside = bytes.slice(from, count < 0 ? undefined : from + count)
  const items = from < 0 ? [] : itemsOf({ prefix, delimiter }, inside)
  const lines = items.flatMap(({ item, at }): LevelLine[] => {
    if (item.kind === 'prefix') return [{ kind: 'prefix', bytes: item.bytes }]
    const found = keys[from + at]
    return found ? [pastLine(found)] : []
  })
  return { lines, hidden: 0, next: null }
}

const noKeys: readonly PastKey[] = []

function pastLine({ key, revision, expires }: PastKey): LevelLine {
  return { kind: 'key', key, revision, size: null, expiresAt: expires ? '' : null, target: null }
}
