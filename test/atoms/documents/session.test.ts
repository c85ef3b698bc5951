import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  hasDocumentSessionAtom,
  inDocumentSession,
  isDocumentSessionOpeningAtom,
  keptSessionAtom,
  openDocumentSessionAtom,
} from '~/atoms/documents/session'
import { handedPasswordAtom, passwordTakerAtom } from '~/atoms/session/login'
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

  test('is opened by the log-in that was for documents, with its password for once', async () => {
    const server = new CollectionServer()
    const store = tabWith(server)
    store.set(handedPasswordAtom, 'right')
    expect(store.get(isDocumentSessionOpeningAtom)).toBe(true)
    const leave = store.sub(store.get(keptSessionAtom)('db'), () => {})
    expect(store.get(handedPasswordAtom)).toBe('')
    await vi.waitFor(() => expect(store.get(hasDocumentSessionAtom)('db')).toBe(true))
    expect(store.get(isDocumentSessionOpeningAtom)).toBe(false)
    leave()
    await vi.waitFor(() => expect(server.sessions.size).toBe(0))
  })

  test('is opened again by a log-in over a lost login, while its page is shown', async () => {
    const { server, store, leave, has } = shown()
    await store.set(openDocumentSessionAtom, 'db', 'right')
    server.sessions.clear()
    store.get(passwordTakerAtom)?.take('right')
    expect(store.get(isDocumentSessionOpeningAtom)).toBe(true)
    await vi.waitFor(() => expect(store.get(isDocumentSessionOpeningAtom)).toBe(false))
    expect(has()).toBe(true)
    expect(server.sessions.size).toBe(1)
    leave()
    expect(store.get(passwordTakerAtom)).toBe(null)
    await vi.waitFor(() => expect(server.sessions.size).toBe(0))
  })

  test('is asked for where the password of the log-in opens none', async () => {
    const store = tabWith(new CollectionServer())
    store.set(handedPasswordAtom, 'wrong')
    store.sub(store.get(keptSessionAtom)('db'), () => {})
    await vi.waitFor(() => expect(store.get(isDocumentSessionOpeningAtom)).toBe(false))
    expect(store.get(hasDocumentSessionAtom)('db')).toBe(false)
    expect(store.get(handedPasswordAtom)).toBe('')
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

  test('is not taken for idle while something is read in it', async () => {
    vi.useFakeTimers()
    const { store, leave, has } = shown()
    await store.set(openDocumentSessionAtom, 'db', 'right')
    for (let minute = 0; minute < 20; minute += 1) {
      await vi.advanceTimersByTimeAsync(60_000)
      await inDocumentSession({ get: store.get, set: store.set }, 'db', () => Promise.resolve())
    }
    expect(has()).toBe(true)
    leave()
  })

  test('is closed after ten minutes in a hidden tab', async () => {
    vi.useFakeTimers()
    const { server, store, leave, has } = shown()
    await store.set(openDocumentSessionAtom, 'db', 'right')
    const hidden = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    await vi.advanceTimersByTimeAsync(600_000)
    hidden.mockRestore()
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
