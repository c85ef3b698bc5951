import { belowMount, isSearchName, pagePath, pathTo } from '~/lib/paths'
import { lazyWithRetry } from '~/ui/lazy-with-retry'

/**
 * A plain file server adds a slash to the address of a folder, and some show the name of its file.
 * Pages are named without either, so that the link to the present page is recognised. Parameters
 * that no page has are removed: a link may carry something that must not be seen or kept.
 */
export function normaliseAddress(mount: string): void {
  const { pathname, search, hash } = window.location
  if (!pathname.startsWith(`${mount}/`)) return
  const path = pagePath(pathname.slice(mount.length))
  const wanted = `${belowMount(mount, path)}${knownOnly(search)}`
  if (wanted === `${pathname}${search}`) return
  window.history.replaceState(null, '', `${wanted}${hash}`)
}

/** The search as it is, or without what no page has. */
function knownOnly(search: string): string {
  const found = new URLSearchParams(search)
  const unknown = [...found.keys()].filter((name) => !isSearchName(name))
  if (unknown.length === 0) return search
  for (const name of unknown) found.delete(name)
  return found.size > 0 ? `?${found}` : ''
}

/**
 * Keeps the icons those of the page that was loaded. They are fetched late, and again whenever their
 * relative address means another folder, as it does after a change of the page's own.
 */
export function pinIcons(): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel~="icon"]')) {
    link.setAttribute('href', link.href)
  }
}

/** Whether the address is that of the page for evidence files, wherever the console is mounted. */
export function isEvidenceAddress(): boolean {
  const { pathname, search } = window.location
  return pathname.endsWith('/verify') && new URLSearchParams(search).get('tab') === 'evidence'
}

/** Takes what one user looked at out of the address before another user logs in. */
export function clearAddress(): void {
  window.history.replaceState(null, '', window.location.pathname)
}

/** The address below this origin; writing it leaves no step in the browser's history. */
export const pageAddress = {
  read: () => window.location.pathname + window.location.search + window.location.hash,
  write: (address: string) => window.history.replaceState(null, '', address),
}

/**
 * Ends service workers that another product left on this origin: they would answer in the place of
 * the server, with outdated code. Browsers have them only in secure contexts.
 */
export async function endServiceWorkers(): Promise<void> {
  try {
    for (const worker of (await navigator.serviceWorker?.getRegistrations()) ?? []) {
      if (window.location.href.startsWith(worker.scope)) void worker.unregister()
    }
  } catch {
    // Where site data is blocked there are none.
  }
}

/** Whether the address is that of documents, whose searches need a session of their own. */
export function isForDocuments(): boolean {
  return pagePath(window.location.pathname).endsWith(pathTo('documents'))
}

/** The database that the address names, or null. */
export function databaseInAddress(): string | null {
  return new URLSearchParams(window.location.search).get('db') || null
}

/** Everything behind the login. */
export const Console = lazyWithRetry(() => import('./Console').then((part) => part.default))

/**
 * Fetches what comes behind the login, all at once and without running it: the page names the
 * scripts of its screen, so that none has to wait until another one has named it. They are found
 * from the address of this script, because that of the page may have changed since.
 */
export function fetchBehindLogin(): void {
  const named = document.querySelector<HTMLMetaElement>('meta[name="behind-login"]')
  for (const address of named?.content.split(' ').filter(Boolean) ?? []) {
    const link = document.createElement('link')
    link.rel = 'modulepreload'
    link.href = new URL(address, import.meta.url).href
    document.head.append(link)
  }
  named?.remove()
}

/** Runs what comes behind the login as soon as it is here, while the server is still asked. */
export function startBehindLogin(): void {
  fetchBehindLogin()
  void Console.prepare()
}
