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
import { type KeyView, keyViewAtom } from '~/atoms/keys/view'
import { failureWords, sentence } from '~/atoms/session/failure'
import { itemsOf } from '~/immudb/key-levels'
import { counted } from '~/lib/text'
import { Button } from '~/ui/Button'
import { IconButton } from '~/ui/IconButton'
import { CountIcon } from '~/ui/QueryIcons'
import { Tree, type TreeChildren } from '~/ui/Tree'
import { showToast } from '~/ui/toast'
import { Unanswered } from '~/ui/Unanswered'
import { useKeysAddress } from './address'
import { KeyTreeBar } from './KeyTreeBar'
import { childrenOf, hiddenWords, lineOfId, type TreeParts } from './tree-nodes'

/** The keys by their prefixes, as of the moment that is looked at. */
export function KeyTree() {
  const { database } = useKeysAddress()
  const view = useAtomValue(keyViewAtom)
  if (view === null) return null
  if (!view.isTreeShown) return <KeyTreeBar view={view} />
  return (
    <div className="flex h-[44%] min-h-40 shrink-0 flex-col border-line border-b">
      <KeyTreeBar view={view} />
      <Levels key={`${database} ${view.delimiter}`} view={view} />
    </div>
  )
}

function Levels({ view }: { view: KeyView }) {
  const tx = useAtomValue(asOfTxAtom)
  const { kind } = useAtomValue(asOfAtom)
  if (tx !== null) return <PastLevels tx={tx} view={view} />
  if (kind === 'now' || kind === 'period') return <PresentLevels view={view} />
  return null
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

function PresentLevels({ view: { delimiter } }: { view: KeyView }) {
  const { database } = useKeysAddress()
  const { open, toggle } = useOpenPrefixes()
  const levels = useAtomValue(useAtomValue(shownLevelsAtom)(database, delimiter, ...open))
  const add = useSetAtom(addToLevelAtom)
  const { counts, count } = useCounts()
  const link = useLinks((prefix) => void add({ prefix, delimiter }))
  // Lines are drawn again only when what they show has changed.
  const nodes = useMemo(
    () => presentNodes(levels, { delimiter, counts, count, isOpen: (prefix) => open.has(prefix) }),
    [levels, delimiter, counts, count, open],
  )
  const first = levels.get('')
  if (!first?.data) {
    return (
      <div className="p-3">
        {first && <Unanswered asked={first} lines={4} words={failureWords} />}
      </div>
    )
  }
  return (
    <Shown
      footer={
        <Rest
          delimiter={delimiter}
          onCount={() => count('')}
          page={first.data}
          total={counts.get('')}
        />
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

/** The numbers of keys below prefixes, as far as they were asked for. */
function useCounts() {
  const ask = useSetAtom(countPrefixAtom)
  const [counts, setCounts] = useState<ReadonlyMap<string, string>>(new Map())
  const count = useCallback(
    (prefix: string) =>
      void ask(prefix).then(
        (found) => setCounts((known) => new Map(known).set(prefix, found)),
        (error: unknown) =>
          showToast({ kind: 'error', text: `The keys were not counted. ${sentence(error)}` }),
      ),
    [ask],
  )
  return { counts, count }
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
function PastLevels({ view: { delimiter }, tx }: { view: KeyView; tx: string }) {
  const { database } = useKeysAddress()
  const list = useAtomValue(useAtomValue(pastListsAtom)(database, tx))
  const { open, toggle } = useOpenPrefixes()
  const link = useLinks(() => {})
  if (list?.kind !== 'done') {
    return <p className="px-3 py-1 text-muted text-sm">Read the list below to see its tree.</p>
  }
  const levelOf = (prefix: string) => pastLevel(list.keys, prefix, delimiter)
  const parts: TreeParts = {
    delimiter,
    counts: new Map(),
    isOpen: (prefix) => open.has(prefix),
    levelOf,
  }
  const first = levelOf('')
  return (
    <Shown
      footer={
        <footer className="px-3 py-1 text-muted text-sm" role="status">
          {levelWords(first.lines)}
        </footer>
      }
      nodes={childrenOf('', parts)}
      onLink={link}
      onToggle={toggle}
    />
  )
}

function pastLevel(keys: readonly PastKey[], prefix: string, delimiter: string): LevelPage {
  const inside = keys.filter(({ key }) => atob(key).startsWith(prefix))
  const items = itemsOf(
    { prefix, delimiter },
    inside.map(({ key }) => atob(key)),
  )
  const lines = items.flatMap(({ item, at }): LevelLine[] => {
    if (item.kind === 'prefix') return [{ kind: 'prefix', bytes: item.bytes }]
    const found = inside[at]
    return found ? [pastLine(found)] : []
  })
  return { lines, hidden: 0, next: null }
}

function pastLine({ key, revision, expires }: PastKey): LevelLine {
  return { kind: 'key', key, revision, size: null, expiresAt: expires ? '' : null, target: null }
}
