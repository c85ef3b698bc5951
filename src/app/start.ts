import { belowMount } from '~/lib/mount'
import { withoutTrailingSlash } from '~/lib/paths'

/**
 * A plain file server adds a slash to the address of a folder; pages are named without one, so
 * that the link to the present page is recognised.
 */
export function normaliseAddress(mount: string): void {
  const { pathname, search, hash } = window.location
  if (!pathname.startsWith(`${mount}/`)) return
  const path = withoutTrailingSlash(pathname.slice(mount.length))
  const wanted = belowMount(mount, path)
  if (wanted !== pathname) window.history.replaceState(null, '', `${wanted}${search}${hash}`)
}

/** The database that the address names, or null. */
export function databaseInAddress(): string | null {
  return new URLSearchParams(window.location.search).get('db')
}
