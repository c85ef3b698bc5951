import { chunkReloadPeriod } from '~/lib/constants'

const key = 'webconsole.reloaded'

/** What must be done before the page goes away, such as keeping drafts. */
const preparations = new Set<() => Promise<unknown>>()

/**
 * Registers work to be done before a reload; returns the function that takes it back. Work that
 * rejects holds the reload back, for instance because the server would not answer it.
 */
export function beforeReload(prepare: () => Promise<unknown>): () => void {
  preparations.add(prepare)
  return () => preparations.delete(prepare)
}

/** Parts that are being fetched. */
const underWay = new Set<Promise<unknown>>()
let asked = 0

/** Resolves once no part is being fetched, with how many were asked for so far. */
export async function partsAtRest(): Promise<number> {
  while (underWay.size > 0) await Promise.allSettled(underWay)
  return asked
}

/**
 * Loads a part of the build. A part that is gone means that the server was upgraded under an open
 * page: drafts are kept, then the page is reloaded, at most once a minute. A second failure within
 * that minute is thrown, because another reload would not help.
 */
export async function loadOrReload<T>(
  load: () => Promise<T>,
  page: Pick<Location, 'reload'> = window.location,
  now: () => number = Date.now,
): Promise<T> {
  const loading = load()
  follow(loading)
  try {
    return await loading
  } catch (error) {
    const isPrepared = await Promise.all([...preparations].map((prepare) => prepare())).then(
      () => true,
      () => false,
    )
    if (!isPrepared || !mayReload(now())) throw error
    page.reload()
    return new Promise(() => {})
  }
}

/** Counts a part as under way until it has come or failed, whatever is done about it then. */
function follow(loading: Promise<unknown>) {
  asked += 1
  underWay.add(loading)
  const end = () => underWay.delete(loading)
  loading.then(end, end)
}

function mayReload(now: number): boolean {
  try {
    const last = Number(sessionStorage.getItem(key) ?? 0)
    if (now - last < chunkReloadPeriod) return false
    sessionStorage.setItem(key, String(now))
    return true
  } catch {
    // Without a place to count, a reload could go on for ever.
    return false
  }
}
