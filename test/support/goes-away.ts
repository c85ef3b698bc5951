import type { FakeImmudb } from './fake-immudb'

/** The server as it is, but for what is done before each answer to a call of this path is handed on. */
export function beforeAnswer(
  server: FakeImmudb,
  path: string,
  act: () => Promise<void> | void,
): FakeImmudb {
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const answer = await server.fetch(input, init)
    const url = input instanceof Request ? input.url : String(input)
    if (!url.endsWith(path)) return answer
    // The caller may give up in the meantime.
    const givenUp = new Promise((_, give) =>
      init?.signal?.addEventListener('abort', () => give(init.signal?.reason)),
    )
    await Promise.race([act(), givenUp])
    return answer
  }
  return { ...server, fetch }
}

/** The server as it is, but for being away as soon as it has answered a call of this path. */
export function goesAwayAfter(server: FakeImmudb, path: string): FakeImmudb {
  return beforeAnswer(server, path, () => server.unplug())
}
