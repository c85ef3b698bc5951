import type { ComponentProps } from 'react'
import { Link as RouterLink } from 'wouter'
import { pagePath } from '~/lib/paths'
import { useKeptMoment, usePath } from '~/ui/location'

export type LinkProps = Omit<ComponentProps<'a'>, 'href'> & {
  /** A path built by `pathTo`, with or without a search string. */
  to: string
  /** Leaves no step in the browser's history. */
  replace?: boolean
}

/**
 * A link inside the console, which keeps the moment that is looked at; the one to the present page
 * carries `aria-current="page"`.
 */
export function Link({ to, replace, ...anchor }: LinkProps) {
  const path = to.split(/[?#]/, 1)[0] ?? ''
  const current = usePath() === pagePath(path)
  return (
    <RouterLink
      href={useKeptMoment(to)}
      {...(replace !== undefined && { replace })}
      aria-current={current ? 'page' : undefined}
      {...anchor}
    />
  )
}
