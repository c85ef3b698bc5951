/**
 * The folder the console is mounted at, without a trailing slash (`''` at the root). Every script
 * lies one folder deep (`assets/`), so the script's own address tells where the console lives and
 * the same build works at `/`, below a prefix and behind a proxy.
 */
export function mountPath(scriptUrl: string): string {
  const path = new URL('..', scriptUrl).pathname
  return path.endsWith('/') ? path.slice(0, -1) : path
}

/** An absolute path of this origin for a path below the mount point. */
export function belowMount(mount: string, path: string): string {
  return `${mount}${path}`
}
