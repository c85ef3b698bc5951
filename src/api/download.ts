/**
 * A request without token and without a header of ours, which another origin could refuse. Sent
 * once.
 */
export type Download = {
  /** An absolute address, or a path below the place where the API lies, such as `metrics`. */
  address: string
  /** Milliseconds until the whole body must be there. */
  timeout: number
  signal?: AbortSignal
}

export type Downloaded = { status: number; headers: Headers; bytes: ArrayBuffer }

/** What is used of the client's own fetch. */
type FetchBytes = (
  address: string,
  options: RequestInit & { responseType: 'arrayBuffer'; ignoreResponseError: true; retry: false },
) => Promise<{ status: number; headers: Headers; _data?: unknown }>

/** Fetches the bytes of an address, whatever the status; fails as `fetch` does. */
export async function downloadWith(
  fetchBytes: FetchBytes,
  baseURL: string,
  { address, signal }: Download,
  timer: AbortSignal,
): Promise<Downloaded> {
  const url = /^https?:/.test(address) ? address : baseURL.replace(/[^/]*$/, address)
  const response = await fetchBytes(url, {
    signal: signal ? AbortSignal.any([signal, timer]) : timer,
    cache: 'no-store',
    credentials: 'omit',
    redirect: 'error',
    responseType: 'arrayBuffer',
    ignoreResponseError: true,
    retry: false,
  })
  const bytes = response._data instanceof ArrayBuffer ? response._data : new ArrayBuffer(0)
  return { status: response.status, headers: response.headers, bytes }
}
