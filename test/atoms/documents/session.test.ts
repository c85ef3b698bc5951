import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  hasDocumentSessionAtom,
  keptSessionAtom,
  openDocumentSessionAtom,
} from '~/atoms/documents/session'
import { sessionLossAtom } from '~/atoms/session/session'
import { CollectionServer } from '../../support/collection-server'
import { tabWith } from '../../support/revision-server'

afterEach(() => vi.useRealTimers())

function shown() {
  const server = new CollectionServer()
  const store = tabWith(server)
  const leave = store.sub(store.get(keptSessionAtom)('db'), () => {})
  const has = () => store.get(hasDocumentSessionAtom)('db')
  return { server, store, leave, has }
}

describe('a document session', () => {
  test('is opened with the password, which is sent once', async () => {
    const { server, store, has } = shown()
    await expect(store.set(openDocumentSessionAtom, 'db', 'wrong')).rejects.toThrow(/invalid user/)
    expect(has()).toBe(false)
    expect(store.get(sessionLossAtom)).toBe(null)
    await store.set(openDocumentSessionAtom, 'db', 'right')
    expect(has()).toBe(true)
    expect(server.asked.filter(({ body }) => body.includes('right'))).toHaveLength(1)
  })

  test('is closed when its page is left', async () => {
    const { server, store, leave, has } = shown()
    await store.set(openDocumentSessionAtom, 'db', 'right')
    leave()
    await vi.waitFor(() => expect(server.sessions.size).toBe(0))
    expect(has()).toBe(false)
  })

  test('is not kept when the page was left while the server was asked', async () => {
    const { server, store, leave, has } = shown()
    const opening = store.set(openDocumentSessionAtom, 'db', 'right')
    leave()
    await opening
    await vi.waitFor(() => expect(server.sessions.size).toBe(0))
    expect(has()).toBe(false)
  })

  test('is kept alive while it is used, and closed within ten minutes without use', async () => {
    vi.useFakeTimers()
    const { server, store, leave, has } = shown()
    await store.set(openDocumentSessionAtom, 'db', 'right')
    const kept = () => server.paths().filter((path) => path.endsWith('/keepalive')).length
    await vi.advanceTimersByTimeAsync(100_000)
    expect(kept()).toBe(2)
    await vi.advanceTimersByTimeAsync(300_000)
    window.dispatchEvent(new Event('keydown'))
    await vi.advanceTimersByTimeAsync(300_000)
    expect(has()).toBe(true)
    await vi.advanceTimersByTimeAsync(300_000)
    expect(has()).toBe(false)
    expect(server.sessions.size).toBe(0)
    leave()
  })

  test('is not kept alive while the tab is hidden', async () => {
    vi.useFakeTimers()
    const { server, store, leave } = shown()
    await store.set(openDocumentSessionAtom, 'db', 'right')
    const hidden = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    await vi.advanceTimersByTimeAsync(200_000)
    hidden.mockRestore()
    expect(server.paths().filter((path) => path.endsWith('/keepalive'))).toEqual([])
    leave()
  })
})
