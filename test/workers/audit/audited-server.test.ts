// @vitest-environment node
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError, type ErrorKind } from '~/api/errors'
import type { AuditNews } from '~/proof/audit-messages'
import { type AuditedServer, retryingServer } from '~/workers/audit/audited-server'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

afterEach(() => vi.restoreAllMocks())

const failure = (kind: ErrorKind, status: number | null = null, code: number | null = null) =>
  new ApiError({ kind, text: kind, status, code })

/** A server behind which these failures come before the answer. */
function behind(failures: ApiError[]) {
  const told: AuditNews[] = []
  let asked = 0
  const answer = async () => {
    asked += 1
    const next = failures.shift()
    if (next) throw next
    return 'answer' as never
  }
  const server: AuditedServer = {
    page: answer,
    value: answer,
    document: answer,
    row: answer,
    collections: answer,
    tables: answer,
    describe: answer,
  }
  const options = {
    tell: (news: AuditNews) => told.push(news),
    isWanted: () => true,
    signal: new AbortController().signal,
  }
  return { server: retryingServer(server, options), told, asked: () => asked }
}

const waits = { kind: 'waiting', why: 'server' }

describe('a server that is away', () => {
  test.each([
    failure('network'),
    failure('unavailable', 503),
    failure('timeout'),
    failure('busy', 429),
    failure('busy', 500, 2),
    failure('proxy', 403),
    failure('bad-answer'),
  ])('$kind: is waited for and asked again', async (error) => {
    const { server, told, asked } = behind([error, error])
    const answer = server.page(1n, 1, 'values')
    await vi.runAllTimersAsync()
    expect(await answer).toBe('answer')
    expect(asked()).toBe(3)
    expect(told).toMatchObject([waits, waits, { kind: 'going-on' }])
  })

  test('may answer fewer transactions in time, which is tried at once', async () => {
    const { server, told } = behind([failure('timeout')])
    await expect(server.page(1n, 1_000, 'values')).rejects.toMatchObject({ kind: 'timeout' })
    expect(told).toMatchObject([waits])
    expect(await server.page(1n, 500, 'values')).toBe('answer')
    expect(told.at(-1)).toEqual({ kind: 'going-on' })
  })

  test('has a value, a row or a document to give, which is waited for, too', async () => {
    for (const ask of [
      (server: AuditedServer) => server.value('', '1'),
      (server: AuditedServer) => server.row('t', [], '1'),
      (server: AuditedServer) => server.document('c', '', '1'),
    ]) {
      const { server } = behind([failure('timeout')])
      const answer = ask(server)
      await vi.runAllTimersAsync()
      expect(await answer).toBe('answer')
    }
  })
})

test.each([
  failure('refused', 500, 2),
  failure('refused', 404),
  failure('permission', 403, 7),
  failure('too-large', 429, 8),
])('$kind is an answer, which is told at once', async (error) => {
  const { server, told } = behind([error])
  await expect(server.page(1n, 1, 'values')).rejects.toBe(error)
  expect(told).toEqual([])
})

test('an answer that is broken again and again ends the audit', async () => {
  const broken = Array.from({ length: 9 }, () => failure('not-immudb'))
  const { server, asked } = behind(broken)
  const answer = expect(server.tables()).rejects.toMatchObject({ kind: 'not-immudb' })
  await vi.runAllTimersAsync()
  await answer
  expect(asked()).toBe(4)
})
