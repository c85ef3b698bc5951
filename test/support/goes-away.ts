import type { FakeImmudb } from './fake-immudb'

/** The server as it is, but for being away as soon as it has answered a call of this path. */
export function goesAwayAfter(server: FakeImmudb, path: string): FakeImmudb {
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const answer = await server.fetch(input, init)
    const url = input instanceof Request ? input.url : String(input)
    if (url.endsWith(path)) server.unplug()
    return answer
  }
  return { ...server, fetch }
}
