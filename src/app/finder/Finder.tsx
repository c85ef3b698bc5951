import { useAtomValue, useStore } from 'jotai'
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useRouter } from 'wouter'
import { databasesAtom, refreshDatabases } from '~/atoms/databases/database-list'
import { keys } from '~/atoms/finder/content-kinds'
import {
  type Known,
  leftOut,
  lookupsElsewhere,
  placesElsewhere,
  type Reach,
  reaches,
} from '~/atoms/finder/elsewhere'
import {
  lookedThroughAtom,
  lookOn,
  lookThrough,
  scanAtom,
  stopLooking,
} from '~/atoms/finder/look-through'
import { knownThings, type Result, resultsOf } from '~/atoms/finder/search'
import type { Here, Kind, LookedThrough, Scan } from '~/atoms/finder/thing'
import { momentsAtom } from '~/atoms/moments/moments'
import { knownQueriesAtom } from '~/atoms/queries/known-queries'
import { usersAtom } from '~/atoms/users/user-list'
import { useAct } from '~/core/act'
import { timezoneAtom } from '~/core/page-view'
import { serverNow } from '~/core/session/server-clock'
import { databaseAtom } from '~/core/session/session'
import { writeAt } from '~/immudb/moment'
import { pageAt, pathTo } from '~/lib/paths'
import { actionOf } from '~/lib/shortcuts'
import { counted } from '~/lib/text'
import { trustRecordsAtom } from '~/trust/trusted-states'
import { Dialog } from '~/ui/Dialog'
import { Field } from '~/ui/Field'
import { loadQuietly } from '~/ui/lazy-with-retry'
import { useChangeSearch, useKeptMoment, useNavigate, usePath, useRawSearch } from '~/ui/location'
import { openTab } from '~/ui/open-tab'
import { useServers } from '../servers/use-servers'
import { useShownPages } from '../shown-pages'
import { kinds as ownKinds } from './kinds'
import { type Choice, Option } from './Option'
import { Questions } from './Questions'
import { type Question, useLookups } from './use-lookups'

// Outside React: a part that is fetched, and the place of the list.

/** Results that Page Up and Page Down pass. */
const pageSize = 8

/** Screens that show a database at a moment. */
const ofMoments: ReadonlySet<string | undefined> = new Set(['query', 'keys', 'documents'])

type Props = {
  onClose: () => void
  /** Ends the wait for the field, and returns what was typed meanwhile. */
  typed?: () => string
}

/** Finds everything that has an address, and opens it. What is typed is kept nowhere. */
export function Finder({ onClose, typed }: Props) {
  const [text, setText] = useState('')
  const [isComposing, setComposing] = useState(false)
  const [reach, setReach] = useState<Reach>('database')
  const refresh = useAct(refreshDatabases)
  const [moved, setMoved] = useState<string | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const isLeft = useRef(false)
  const id = useId()
  const kinds = useKinds()
  const here = useHere()
  const looking = useLookingThrough()
  const questions = useQuestions(kinds, here, text, reach)
  const { asked, brought, askAgain } = useLookups(questions, isComposing)
  const momentsRead = useAtomValue(momentsAtom)
  const queriesRead = useAtomValue(knownQueriesAtom)
  const recordsRead = useAtomValue(trustRecordsAtom)
  const { data: databases } = useAtomValue(databasesAtom)
  const { data: users } = useAtomValue(usersAtom)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is known grows with these.
  const known = useMemo(
    () => knownThings(kinds, here),
    [kinds, here, brought, momentsRead, queriesRead, recordsRead, databases, users],
  )
  const { scan, found } = looking
  const { shown, more } = useMemo(() => {
    const looked = scan ? [{ kind: kindOf(kinds, scan), things: found }] : []
    return resultsOf(kinds, here, text, known, [...brought, ...looked])
  }, [kinds, here, text, known, brought, scan, found])
  const choices: readonly Choice[] = [
    ...shown.map((result) => ({ id: result.id, result })),
    ...scansOf(kinds, here, text, reach).map((offered) => ({
      id: JSON.stringify(offered),
      scan: offered,
    })),
  ]
  const at = Math.max(
    0,
    choices.findIndex((choice) => choice.id === moved),
  )
  const active = choices[at]

  const type = (next: string) => {
    setText(next)
    setMoved(null)
    if (next !== text) looking.end()
  }
  const widen = (next: Reach) => {
    setReach(next)
    // “All” includes those that were made since the list was read.
    if (next !== 'database') void refresh()
  }
  useEffect(() => {
    // The field has the focus by now: no key goes elsewhere.
    const early = typed?.() ?? ''
    setText((given) => given + early)
  }, [typed])
  const open = useOpening({ close: onClose, isLeft, type })
  const href = useHref(active?.result)
  const choose = (choice: Choice | undefined, isTab: boolean) => {
    if (!choice) return
    if (choice.result && isTab && href !== null) {
      // What is pressed is active, because the pointer was on it.
      if (choice.id === active?.id) openTab(href)
    } else if (choice.result) open(choice.result)
    else if (choice.scan) looking.toggle(choice.scan)
  }
  const move = (by: number) => {
    const next = choices[Math.min(choices.length - 1, Math.max(0, at + by))]
    if (next) setMoved(next.id)
  }
  const press = (event: KeyboardEvent) => {
    // The browser has a search of its own under these keys.
    if (actionOf('everywhere', event) === 'find') {
      event.preventDefault()
      input.current?.select()
    }
    const action = event.target === input.current ? actionOf('finder', event) : undefined
    if (action === undefined || action === 'close') return
    event.preventDefault()
    const steps = { up: -1, down: 1, pageUp: -pageSize, pageDown: pageSize }
    if (action === 'open' || action === 'openTab') choose(active, action === 'openTab')
    else move(steps[action])
  }
  const activeId = active && `${id}-${at}`
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])
  const repeat = () => {
    askAgain()
    // The button is gone with the failure.
    input.current?.focus()
  }
  const isEmpty = choices.length === 0
  const isPending =
    looking.isBusy || asked.some(({ state }) => state === 'waiting' || state === 'asking')
  return (
    <Dialog
      initialFocus={input}
      isLeft={isLeft}
      note={<Questions asked={asked} askAgain={repeat} leftOut={leftOut(here, reach)} />}
      onClose={onClose}
      open
      title="Find anything"
      width="wide"
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the field and the list listen together. */}
      <div className="flex min-h-64 flex-col" onKeyDown={press}>
        <div className="sticky top-0 z-sticky bg-panel pt-1 pb-2">
          <Field
            aria-activedescendant={activeId}
            aria-autocomplete="list"
            aria-controls={`${id}-list`}
            aria-expanded={!isEmpty}
            autoComplete="off"
            bare
            label="Find anything"
            maxLength={longestText}
            onChange={type}
            onCompositionEnd={() => setComposing(false)}
            onCompositionStart={() => setComposing(true)}
            placeholder="A table, key, transaction, hash, time, user, action…"
            ref={input}
            role="combobox"
            secret
            spellCheck={false}
            value={text}
          />
          <div className="mt-2 flex flex-wrap items-center gap-x-4 text-sm">
            <ReachChoice onChange={widen} reach={reach} />
            <p className="ms-auto leading-6 text-muted" role="status">
              {text.trim() === '' ? '' : wordsOf(shown.length, more, isPending)}
            </p>
          </div>
        </div>
        <div
          aria-label="Results"
          className={isEmpty ? 'hidden' : '-mx-2 grid grid-cols-1'}
          id={`${id}-list`}
          role="listbox"
        >
          {choices.map((choice, index) => (
            <Option
              choice={choice}
              id={`${id}-${index}`}
              isActive={index === at}
              key={choice.id}
              onChoose={(isTab) => choose(choice, isTab)}
              onPoint={() => setMoved(choice.id)}
            />
          ))}
        </div>
      </div>
    </Dialog>
  )
}

/** Characters that are looked for; a key has 1,024 bytes at most, an address of bytes some more. */
const longestText = 2_000

function wordsOf(count: number, more: number, isPending: boolean): string {
  if (count === 0) return isPending ? 'Looking…' : 'Nothing found.'
  const rest = more > 0 ? ` The first of ${counted(count + more, 'result')}: type more.` : ''
  return rest === '' ? `${counted(count, 'result')}.` : rest.trim()
}

/** The kinds of things; sections of the guide once its text is here. */
function useKinds(): readonly Kind[] {
  const [guide, setGuide] = useState<Kind | null>(null)
  useEffect(() => {
    let isGone = false
    // Without it everything else is found.
    loadQuietly(() => import('./guide-sections')).then(
      (part) => !isGone && setGuide(part.guide),
      () => {},
    )
    return () => {
      isGone = true
    }
  }, [])
  return useMemo(() => (guide ? [...ownKinds, guide] : ownKinds), [guide])
}

function useHere(): Here {
  const io = useStore()
  const database = useAtomValue(databaseAtom) ?? ''
  const zone = useAtomValue(timezoneAtom)
  const pages = useShownPages()
  const path = usePath()
  const search = useRawSearch()
  return useMemo(
    () => ({
      io,
      database,
      zone,
      now: serverNow(io.get),
      pages,
      search,
      pathAt: (at) => {
        const isShown = ofMoments.has(pageAt(path)?.name)
        const next = new URLSearchParams(isShown ? search : '')
        for (const name of ['dialog', 'sql']) next.delete(name)
        if (database !== '') next.set('db', database)
        next.set('at', writeAt(at))
        return `${isShown ? path : pathTo('query')}?${next}`
      },
    }),
    [io, database, zone, pages, path, search],
  )
}

function useQuestions(
  kinds: readonly Kind[],
  here: Here,
  text: string,
  reach: Reach,
): readonly Question[] {
  const [known] = useState<Known>(() => new Map())
  if (text.trim() === '') return []
  const near = kinds.flatMap((kind) => {
    const lookup = kind.lookup?.(here, text)
    return lookup ? [{ lookup, kind }] : []
  })
  // Each thing that comes from elsewhere names its own kind.
  const far = lookupsElsewhere(kinds, here, { text, reach, known }).map((lookup) => ({
    lookup,
    kind: keys,
  }))
  return [...near, ...far]
}

/** What can be looked through, in the open database alone and where else it is looked. */
function scansOf(kinds: readonly Kind[], here: Here, text: string, reach: Reach): readonly Scan[] {
  if (text.trim() === '') return []
  const others = placesElsewhere(here, reach)
  return kinds.flatMap((kind) => {
    const near = kind.scan?.(here, text) ?? []
    const far = others.length > 0 ? kind.scan?.(here, text, true) : null
    return [near, far ? { ...far, others } : []].flat()
  })
}

const labels = { transactions: 'Transaction', keys: 'Key', documents: 'Document' } as const

/** The kind of what is found by looking through something. */
function kindOf(kinds: readonly Kind[], { kind }: Scan): Kind {
  return kinds.find(({ label }) => label === labels[kind]) ?? keys
}

const none: LookedThrough['found'] = []

/** What is looked through belongs to one text: it ends with another one, and with the panel. */
function useLookingThrough() {
  const begin = useAct(lookThrough)
  const stop = useAct(stopLooking)
  const on = useAct(lookOn)
  const scan = useAtomValue(scanAtom)
  const looked = useAtomValue(lookedThroughAtom)
  useEffect(() => () => begin(null), [begin])
  const isBusy = (looked?.isFetching || looked?.isAdding) ?? false
  return {
    scan,
    isBusy,
    found: looked?.data?.found ?? none,
    end: () => begin(null),
    /** Begins, stops or goes on. */
    toggle: (wanted: Scan) => {
      if (JSON.stringify(wanted) !== JSON.stringify(scan)) begin(wanted)
      else if (isBusy) stop()
      else on()
    },
  }
}

/** Where a link to a result leads from here; null for what has no address or may not be opened. */
function useHref(result: Result | undefined): string | null {
  const router = useRouter()
  const to = result && !result.refusal && 'path' in result.to ? result.to : null
  const path = to && !to.first ? to.path : null
  const kept = useKeptMoment(path ?? '/')
  return path === null ? null : router.hrefs(`${router.base}${kept}`, router)
}

type Opening = {
  close: () => void
  isLeft: { current: boolean }
  type: (text: string) => void
}

/** Opens a result; one that may not be opened says why and does nothing. */
function useOpening({ close, isLeft, type }: Opening) {
  const io = useStore()
  const navigate = useNavigate()
  const change = useChangeSearch()
  return ({ to, refusal }: Result) => {
    if (refusal !== undefined) return
    if ('text' in to) return type(to.text)
    isLeft.current = 'path' in to
    close()
    if ('path' in to) {
      to.first?.(io)
      navigate(to.path)
    } else if ('without' in to) change({ [to.without]: undefined })
    else to.run(io)
  }
}

type ReachProps = { reach: Reach; onChange: (reach: Reach) => void }

const reachNames = {
  database: 'This database',
  server: 'All databases',
  servers: 'All servers',
} as const

/** Where to look, as far as there is more than one place. */
function ReachChoice({ reach, onChange }: ReachProps) {
  const name = useId()
  const databases = useAtomValue(databasesAtom).data?.length ?? 0
  const servers = useServers().length
  const offered = reaches.filter(
    (one) => one === 'database' || (one === 'server' ? databases > 1 : servers > 1),
  )
  if (offered.length < 2) return null
  return (
    <fieldset className="flex flex-wrap gap-x-4">
      <legend className="sr-only">Where to look</legend>
      {offered.map((one) => (
        <label className="flex min-h-11 items-center gap-2 xs:min-h-6" key={one}>
          <input
            checked={one === reach}
            className="size-4 shrink-0 appearance-none rounded-full border border-field bg-input checked:border-[5px] checked:border-primary"
            name={name}
            onChange={() => onChange(one)}
            type="radio"
          />
          {reachNames[one]}
        </label>
      ))}
    </fieldset>
  )
}
