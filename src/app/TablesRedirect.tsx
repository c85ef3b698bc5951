import { Redirect, useSearch } from 'wouter'
import { pathTo } from '~/lib/paths'

/** The table of an address lies on Query. */
export function TablesRedirect() {
  const search = useSearch()
  return <Redirect replace to={pathTo('query', Object.fromEntries(new URLSearchParams(search)))} />
}
