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
  if (wanted === pathname) return
  pinIcons()
  window.history.replaceState(null, '', `${wanted}${search}${hash}`)
}

/** Icons are fetched late and by relative addresses, which would then mean another folder. */
function pinIcons(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel~="icon"]')) {
    link.setAttribute('href', link.href)
  }
}

/** Takes what one user looked at out of the address before somebody else comes. */
export function clearAddress(): void {
  window.history.replaceState(null, '', window.location.pathname)
}

/**
 * Ends service workers that another product left on this origin: they would answer in the place of
 * the server, with code of yesterday. Browsers have them only in secure contexts.
 */
export async function endServiceWorkers(): Promise<void> {
  const found = await navigator.serviceWorker?.getRegistrations().catch(() => [])
  for (const worker of found ?? []) {
    if (window.location.href.startsWith(worker.scope)) void worker.unregister()
  }
}

/** The database that the address names, or null. */
export function databaseInAddress(): string | null {
  return new URLSearchParams(window.location.search).get('db')
}
