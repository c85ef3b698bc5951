import { useAtomValue } from 'jotai'
import { useEffect, useRef } from 'react'
import { openDatabase } from '~/atoms/databases/database-list'
import { useAct } from '~/core/act'
import { lastSearchAtom } from '~/core/storage/places'
import { pageAt, pathTo } from '~/lib/paths'
import { useNavigate, usePath } from '~/ui/location'
import { pagesOfDatabase } from '../routes'
import { useInDatabase } from '../UnopenedDatabase'

// Outside React: the page that is shown once a database has opened.

/** Pages that begin anew in a database where they were not shown: a table or a collection is of one. */
const ofOne: ReadonlySet<string> = new Set(['query', 'documents'])

/**
 * Opens a database where the page was left in it. Where most pages were not shown yet, the address
 * stays as it is. Rejects when it cannot be opened.
 */
export function useOpenPlace(): (name: string) => Promise<void> {
  const open = useAct(openDatabase)
  const navigate = useNavigate()
  const lastSearch = useAtomValue(lastSearchAtom)
  const inDatabase = useInDatabase()
  const page = pageAt(usePath())?.name
  const pageNow = useRef(page)
  useEffect(() => {
    pageNow.current = page
  })
  return async (name) => {
    const isPlaced = page !== undefined && pagesOfDatabase.has(page)
    const before = isPlaced ? lastSearch(page, name) : undefined
    const place = before ?? (page !== undefined && ofOne.has(page) ? '' : undefined)
    const isOpen = await open(name)
    if (!isOpen || page === undefined || place === undefined || pageNow.current !== page) return
    const { at } = inDatabase(name)
    const left = { db: name, ...Object.fromEntries(new URLSearchParams(place)) }
    navigate(pathTo(page, at ? { ...left, at } : left), { replace: true })
  }
}
