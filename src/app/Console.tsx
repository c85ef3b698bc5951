import { useAtom, useAtomValue, useStore } from 'jotai'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Router } from 'wouter'
import { openDatabase } from '~/atoms/databases/database-list'
import { holdsOutcomeAtom } from '~/atoms/query/all-output'
import { keepPermissionsAtom } from '~/atoms/users/user-list'
import { useAct } from '~/core/act'
import { draftsAtRiskAtom } from '~/core/draft-slots'
import { noteAddressedMoment, stateAtom } from '~/core/history/newest-state'
import { isWritingAtom } from '~/core/session/calls-under-way'
import { sentence } from '~/core/session/failure-words'
import { openQueryCache } from '~/core/session/query-client'
import { databaseAtom, unopenedDatabaseAtom } from '~/core/session/session'
import { probeServer } from '~/core/session/session-start'
import { noteAddressSearch } from '~/core/storage/places'
import { openUploadsAtom } from '~/core/upload-records'
import { pageAt, rememberedSearch } from '~/lib/paths'
import { beforeReload } from '~/ui/lazy-with-retry'
import { useChangeSearch, usePath, useRawSearch, useSearchParam } from '~/ui/location'
import { clearToasts, showToast, Toaster } from '~/ui/toast'
import { Frame } from './frame/Frame'
import { Pages } from './Pages'
import { pagesOfAddressed } from './routes'
import { useInDatabase } from './UnopenedDatabase'
import { followLater } from './watch/follower'

// Outside React: the address, the window's focus, connection and end.

type Props = { mount: string; onReady: () => void }

/** Everything behind the login. Its cache of answers lives and dies with it. */
export default function Console({ mount, onReady }: Props) {
  const isReady = useQueryCache()
  useFollower(isReady)
  useReloadOnlyInPeace()
  useLeaveQuestion()
  // Messages outlive their page; those of one user are not for the next.
  useEffect(() => clearToasts, [])
  useEffect(() => {
    if (isReady) onReady()
  }, [isReady, onReady])
  if (!isReady) return null
  return (
    <Router base={mount}>
      <AddressedDatabase />
      <Frame>
        <Pages />
      </Frame>
      <Toaster />
    </Router>
  )
}

/**
 * The cache listens to the window's focus and connection, which are outside of React. What every
 * page needs is asked for before the first one is drawn, which can take longer than the answer.
 */
function useQueryCache(): boolean {
  const store = useStore()
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    // Before anything is drawn, so that nothing asks for the present first.
    const { searchParams } = new URL(window.location.href)
    const named = searchParams.get('db') ?? store.get(databaseAtom) ?? ''
    noteAddressedMoment(store, named, searchParams.get('at') ?? undefined)
    const ends = [
      openQueryCache(store),
      store.sub(stateAtom, () => {}),
      // The permissions as last listed are stored with the session.
      store.sub(keepPermissionsAtom, () => store.set(keepPermissionsAtom)),
    ]
    setOpen(true)
    return () => {
      for (const end of ends.reverse()) end()
    }
  }, [store])
  return isOpen
}

/** The follower of histories lives as long as the cache, from whose answers it takes the states. */
function useFollower(isReady: boolean) {
  const store = useStore()
  useEffect(() => (isReady ? followLater(store) : undefined), [isReady, store])
}

/**
 * Holds back the reload for a missing part while the server is away, during a write, while the
 * outcome of one is shown, or while a text is stored nowhere. The part then says that it is missing
 * and lets the user reload.
 */
function useReloadOnlyInPeace() {
  const store = useStore()
  useEffect(
    () =>
      beforeReload(async () => {
        holdOverWork(store)
        await probeServer(store)
        // The operator may have opened another page while the server was asked.
        holdOverWork(store)
      }),
    [store],
  )
}

function holdOverWork(store: ReturnType<typeof useStore>) {
  if (store.get(isWritingAtom) || store.get(holdsOutcomeAtom)) {
    throw new Error('what becomes of a write would be lost')
  }
  if (store.get(draftsAtRiskAtom).size > 0) throw new Error('a text is stored nowhere')
  if (store.get(openUploadsAtom).size > 0) throw new Error('an import would stop half-way')
}

/**
 * The browser asks before a text is lost that is stored nowhere, or the answer to a write, and while
 * an import has rows left, because it stops with the page.
 */
function useLeaveQuestion() {
  const store = useStore()
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      const isOpen = store.get(openUploadsAtom).size > 0
      const isAtRisk = store.get(draftsAtRiskAtom).size > 0
      if (isOpen || isAtRisk || store.get(isWritingAtom)) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [store])
}

/**
 * Keeps the address and this tab's database the same: a database chosen here is written into the
 * address, and an address that names another one, after “back” for instance, opens that one. The
 * moment that is looked at is that of the address. Where the named database cannot be opened the
 * page says so; pages that show no database only tell, and name the open one.
 */
export function AddressedDatabase() {
  const open = useAct(openDatabase)
  const database = useAtomValue(databaseAtom)
  const page = pageAt(usePath())?.name
  const [named] = useSearchParam('db')
  const addressed = named || undefined
  const [at] = useSearchParam('at')
  const change = useChangeSearch()
  const inDatabase = useInDatabase()
  const noteMoment = useAct(noteAddressedMoment)
  const noteSearch = useAct(noteAddressSearch)
  const search = useRawSearch()
  const [unopened, setUnopened] = useAtom(unopenedDatabaseAtom)
  const written = useRef(database)
  const asked = useRef<string | null>(null)
  const isUnopened = unopened !== null && unopened.name === addressed
  const isAnswered = isUnopened && page !== undefined && pagesOfAddressed.has(page)
  const isOnlyTold = isUnopened && !isAnswered
  const isChosenHere = database !== written.current || addressed === undefined || isOnlyTold
  const isApart = database !== null && addressed !== database
  useLayoutEffect(() => {
    // At once: by the time of an effect the operator may have gone to another page, and writing
    // the address of this one would bring it back.
    written.current = database
    if (database === null) return
    if (isApart && !isChosenHere) return
    if (isApart && isOnlyTold && unopened) {
      const text = `${unopened.name} was not opened. ${sentence(unopened.error)}`
      showToast({ kind: 'error', text })
    }
    setUnopened(null)
    if (!isApart) {
      if (page !== undefined) noteSearch(page, rememberedSearch(search))
      return noteMoment(database, at)
    }
    change(addressed === undefined ? { db: database, at } : inDatabase(database), { replace: true })
  })
  useEffect(() => {
    if (!isApart || isChosenHere || addressed === undefined || asked.current === addressed) return
    if (isUnopened) return
    asked.current = addressed
    open(addressed)
      .catch((error: unknown) => setUnopened({ name: addressed, error }))
      .finally(() => {
        asked.current = null
      })
  }, [isApart, isChosenHere, isUnopened, addressed, open, setUnopened])
  return null
}
