/**
 * The one place that writes to the browser's console: a failed call by method, path, kind and
 * status. Neither tokens nor texts of the server or the operator are in it, and of the path only
 * what names the call, because what follows may be a key or a name.
 */
export function logFailure(method: string, path: string, kind: string, status: number | null) {
  // biome-ignore lint/suspicious/noConsole: this is the logger.
  console.info(
    `webconsole: ${callName(method, path)} failed: ${kind}${status === null ? '' : ` ${status}`}`,
  )
}

/** What a call is, such as `GET /db/get`, without the keys, names and parameters behind it. */
export function callName(method: string, path: string): string {
  const call = path.split('?')[0]?.split('/').slice(0, 3).join('/') ?? ''
  return `${method} ${call}`
}
