import { useLocation, useSearchParams } from 'wouter'
import { withoutTrailingSlash } from '~/lib/paths'

export type Navigate = (to: string, options?: { replace?: boolean }) => void

/** The current path below the mount point, without a trailing slash. */
export function usePath(): string {
  return withoutTrailingSlash(useLocation()[0])
}

/** Goes to a path built by `pathTo`; the function stays the same between renders. */
export function useNavigate(): Navigate {
  return useLocation()[1]
}

/**
 * One parameter of the address. The setter keeps the others; `undefined` removes the parameter,
 * and `replace` leaves no step in the browser's history.
 */
export function useSearchParam(
  name: string,
): readonly [
  string | undefined,
  (value: string | undefined, options?: { replace?: boolean }) => void,
] {
  const [params, setParams] = useSearchParams()
  const set = (value: string | undefined, options?: { replace?: boolean }) =>
    setParams((before) => {
      const next = new URLSearchParams(before)
      if (value === undefined) next.delete(name)
      else next.set(name, value)
      return next
    }, options)
  return [params.get(name) ?? undefined, set]
}
