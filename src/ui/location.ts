import { useLocation, useRouter } from 'wouter'
import { pagePath } from '~/lib/paths'

export type Navigate = (to: string, options?: { replace?: boolean }) => void

/** The current path below the mount point, without a trailing slash. */
export function usePath(): string {
  return pagePath(useLocation()[0])
}

/** Goes to a path built by `pathTo`, as a link to it does. */
export function useNavigate(): Navigate {
  const search = useRawSearch()
  const navigate = useLocation()[1]
  return (to, options) => navigate(keepMoment(to, search), options)
}

/** The address of a link: it keeps the server and the moment that are looked at. */
export function useKeptMoment(to: string): string {
  return keepMoment(to, useRawSearch())
}

/**
 * The server stays, and so does a moment of the past until it is changed; that means nothing in
 * another database or on another server.
 */
function keepMoment(to: string, search: string): string {
  const now = new URLSearchParams(search)
  const [page = '', anchor = ''] = to.split(/(?=#)/)
  const wanted = new URLSearchParams(page.split('?')[1])
  const isOther = (name: string) => wanted.has(name) && wanted.get(name) !== now.get(name)
  const kept = new URLSearchParams()
  for (const name of isOther('db') || isOther('server') ? ['server'] : ['server', 'at']) {
    const value = now.get(name)
    if (value && !wanted.has(name)) kept.set(name, value)
  }
  return kept.size > 0 ? `${page}${page.includes('?') ? '&' : '?'}${kept}${anchor}` : to
}

type SearchChange = Readonly<Record<string, string | undefined>>

/**
 * Changes parameters of the address in one step and keeps the others and the anchor; `undefined`
 * removes a parameter, and `replace` leaves no step in the browser's history.
 */
export function useChangeSearch(): (change: SearchChange, options?: { replace?: boolean }) => void {
  const search = useRawSearch()
  const [path, navigate] = useLocation()
  return (change, options) => {
    const next = new URLSearchParams(search)
    for (const [name, value] of Object.entries(change)) {
      if (value === undefined) next.delete(name)
      else next.set(name, value)
    }
    const query = next.toString()
    // The router knows nothing of the anchor.
    const { hash } = window.location
    navigate(query ? `${path}?${query}${hash}` : `${path}${hash}`, options)
  }
}

/** One parameter of the address, and what changes it as `useChangeSearch` does. */
export function useSearchParam(
  name: string,
): readonly [
  string | undefined,
  (value: string | undefined, options?: { replace?: boolean }) => void,
] {
  const search = useRawSearch()
  const change = useChangeSearch()
  const set = (value: string | undefined, options?: { replace?: boolean }) =>
    change({ [name]: value }, options)
  return [new URLSearchParams(search).get(name) ?? undefined, set]
}

/**
 * The search string as it stands in the address. The router's own hook decodes it as a whole
 * first, which turns a value such as `%2e` into a dot.
 */
export function useRawSearch(): string {
  const router = useRouter()
  return router.searchHook(router)
}
