import { type ExtractAtomValue, useAtomValue } from 'jotai'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { changeKeyView, type KeyView } from '~/atoms/keys/key-view'
import {
  addToLevel,
  countPrefix,
  type LevelLine,
  type LevelPage,
  shownLevelsAtom,
} from '~/atoms/keys/levels'
import { type PastKey, pastListsAtom } from '~/atoms/keys/past-list'
import { useAct } from '~/core/act'
import { asOfAtom, asOfTxAtom } from '~/core/history/as-of'
import type { List } from '~/core/pages'
import { failureWords, sentence } from '~/core/session/failure-words'
import { betterDelimiter, guessDelimiter, itemsOf, usualDelimiters } from '~/immudb/key-levels'
import { counted } from '~/lib/text'
import { Button } from '~/ui/Button'
import { IconButton } from '~/ui/IconButton'
import { CountIcon } from '~/ui/QueryIcons'
import { Sentence } from '~/ui/Sentence'
import { Tree, type TreeChildren } from '~/ui/Tree'
import { showToast } from '~/ui/toast'
import { Unanswered } from '~/ui/Unanswered'
import { useKeysAddress } from './address'
import { KeyList, NoKeys } from './KeyList'
import { KeysFoot } from './KeysFoot'
import { childrenOf, hiddenWords, lineOfId, type TreeParts } from './tree-nodes'

/** The keys by their prefixes, as of the moment that is looked at. */
export function KeyTree({ view }: { view: KeyView }) {
  const { database } = useKeysAddress()
  return <Levels chosen={view.delimiter} key={`${database} ${view.delimiter}`} />
}

/** `chosen`: the delimiter, or null where the keys decide. */
type LevelsProps = { chosen: string | null }

function Levels({ chosen }: LevelsProps) {
  const tx = useAtomValue(asOfTxAtom)
  const { kind } = useAtomValue(asOfAtom)
  if (tx !== null) return <PastLevels chosen={chosen} tx={tx} />
  if (kind === 'now' || kind === 'period') return <PresentLevels chosen={chosen} />
  return <KeyList />
}

/** Which prefixes are open, and what follows from opening one. */
function useOpenPrefixes() {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const toggle = (id: string, isOpen: boolean) => {
    const prefix = lineOfId(id).bytes
    const next = new Set(open)
    if (isOpen) next.add(prefix)
    else next.delete(prefix)
    setOpen(next)
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

function PresentLevels({ chosen }: LevelsProps) {
  const { database, go } = useKeysAddress()
  const { open, toggle } = useOpenPrefixes()
  const levels = useAtomValue(useAtomValue(shownLevelsAtom)(database, chosen, open))
  const add = useAct(addToLevel)
  const first = levels.get('')
  const delimiter = first?.data?.delimiter ?? ''
  const { counts, count } = useCounts(first?.dataUpdatedAt)
  const link = useLinks((prefix) => void add(delimiter, prefix))
  // Lines are drawn again only when what they show has changed.
  const nodes = useMemo(
    () =>
      presentNodes(levels, {
        delimiter,
        counts,
        count,
        list: (prefix) => go({ prefix: btoa(prefix) }),
        isOpen: (prefix) => open.has(prefix),
      }),
    [levels, delimiter, counts, count, open, go],
  )
  if (!first?.data) {
    return (
      <div className="p-3">
        {first && <Unanswered asked={first} lines={4} words={failureWords} />}
      </div>
    )
  }
  const { lines, hidden, next } = first.data
  if (lines.length + hidden === 0 && next === null) return <NoKeys />
  return (
    <Shown
      footer={
        <>
          {first.error && (
            <p className="px-3 text-sm text-warning" role="status">
              These are the keys as last read. <Sentence text={sentence(first.error)} />
            </p>
          )}
          <BetterDelimiter chosen={delimiter} lines={lines} />
          <Rest
            chosen={chosen}
            list={first}
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
      if (asked?.data) return { ...asked.data, isReading: asked.isFetching }
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
      <div className="min-h-72 grow xs:min-h-28">
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
  const ask = useAct(countPrefix)
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
  const change = useAct(changeKeyView)
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
  chosen: string | null
  list: Pick<List<LevelPage>, 'isFetching' | 'isAdding' | 'problem'>
  /** The number of all keys, where it was asked for. */
  total: string | undefined
  onCount: () => void
}

/** What there is of the first level, and the way to more of it. */
function Rest({ page, chosen, list, total, onCount }: RestProps) {
  const { lines, hidden, next } = page
  const { isFetching, isAdding, problem } = list
  const add = useAct(addToLevel)
  return (
    <KeysFoot
      more={
        next === null || isFetching
          ? null
          : { label: 'Show more', isBusy: isAdding, onClick: () => void add(chosen, '') }
      }
      problem={problem}
    >
      <span role="status">
        {levelWords(lines)}
        {next !== null && (isFetching ? ', reading…' : ', more exist')}
        {total !== undefined &&
          ` of ${counted(BigInt(total), 'key')}, deleted and expired ones included`}
      </span>
      <IconButton icon={<CountIcon />} label="Count all keys" onClick={onCount} size="tiny" />
      {hidden > 0 && <span className="text-warning">{hiddenWords(hidden)}.</span>}
    </KeysFoot>
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
function PastLevels({ chosen, tx }: LevelsProps & { tx: string }) {
  const { database } = useKeysAddress()
  const list = useAtomValue(useAtomValue(pastListsAtom)(database, tx).listAtom)
  const { open, toggle } = useOpenPrefixes()
  const link = useLinks(() => {})
  const keys = list?.kind === 'done' ? list.keys : noKeys
  const { lines, nodes } = usePastNodes(keys, chosen, open)
  // The list says what there is to read, or that there is nothing.
  if (list?.kind !== 'done' || keys.length === 0) return <KeyList />
  return (
    <Shown
      footer={
        <footer
          className="min-h-10 shrink-0 border-line border-t px-3 py-2 text-muted text-sm"
          role="status"
        >
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
  chosen: string | null,
  open: ReadonlySet<string>,
): { lines: readonly LevelLine[]; nodes: TreeChildren } {
  const bytes = useMemo(() => keys.map(({ key }) => atob(key)), [keys])
  return useMemo(() => {
    const delimiter = chosen ?? guessDelimiter(bytes) ?? usualDelimiters[0]
    const levelOf = (prefix: string) => pastLevel({ keys, bytes }, prefix, delimiter)
    const isOpen = (prefix: string) => open.has(prefix)
    const nodes = childrenOf('', { delimiter, counts: none, isOpen, levelOf })
    return { lines: levelOf('').lines, nodes }
  }, [keys, bytes, chosen, open])
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
  return { lines, hidden: 0, next: null, delimiter }
}

const noKeys: readonly PastKey[] = []

function pastLine({ key, tx, revision, expires }: PastKey): LevelLine {
  return {
    kind: 'key',
    key,
    tx,
    revision,
    size: null,
    expiresAt: expires ? '' : null,
    target: null,
  }
}
