// @vitest-environment node
import { createStore } from 'jotai'
import { describe, expect, test } from 'vitest'
import type { Drawn } from '~/atoms/revisions/history'
import { openKeyHistory } from '~/atoms/revisions/key-history'
import { planRestore } from '~/atoms/revisions/restore'
import { connect, type Store } from '~/core/session/client'
import { openQueryCache } from '~/core/session/query-client'
import { sessionAtom } from '~/core/session/session'
import { bytesToBase64 } from '~/lib/bytes'
import { hash } from '~/proof/kernel/hash'
import { referenceValue } from '~/proof/kernel/stored'
import { unequalIn } from '../../support/questions'
import { type Recorded, recorded, recordedResponse } from '../../support/recorded'

const key = Buffer.from('greeting').toString('base64')
const subject = { kind: 'key', database: 'db', key } as const

/** A tab whose server answers the history of a key by offset and limit. */
function tabWith(
  history: (offset: number, limit: number, isNewestFirst: boolean) => Recorded | Response,
): Store {
  const store = createStore()
  connect(store, '/api', async (input, init) => {
    const path = String(input).replace('/api', '')
    const body = typeof init?.body === 'string' ? JSON.parse(init.body) : {}
    const found = path.startsWith('/db/history')
      ? history(Number(body.offset), Number(body.limit), body.desc)
      : recorded('truncation', path.includes('=1') ? 'a gone revision' : 'a key')
    return found instanceof Response ? found : recordedResponse(found)
  })
  openQueryCache(store)
  return store
}

/** The recorded key: its first revision lost its value. */
const truncated = () =>
  tabWith((offset, limit, isNewestFirst) => {
    const place = isNewestFirst || offset > 2 ? Math.min(3, offset) : 2 - offset
    return recorded('truncation', limit > 1 ? 'history of a key' : `history from ${place}`)
  })

describe('the history of a key in a truncated past', () => {
  test('counts and names the revisions that are left, and says which are gone', async () => {
    const history = await openKeyHistory({ get: truncated().get }, subject)
    expect(history.count).toBe(3)
    const lines = await history.lines(3, 1, {})
    expect(lines.map(({ number, tx, kind }) => [number, tx, kind])).toEqual([
      [3, '13', 'written'],
      [2, '10', 'written'],
      [1, null, 'gone'],
    ])
    expect((await history.content(1, {})).note).toBe(
      'The server no longer has this value. A truncation may have removed it.',
    )
  })

  test.each([
    ['gone', 1],
    ['gone', 7],
    ['gone', 45],
    ['too-large', 45],
  ])('counts revisions when every value is %s: %i', async (kind, count) => {
    const unread =
      kind === 'gone' ? recorded('truncation', 'history of a key') : recorded('past', 'too wide')
    const end = recorded('truncation', 'history from 3')
    // Right behind the last one the server answers with an error, and further with nothing.
    const behind = (offset: number) => (offset === count ? end : Response.json({}))
    const store = tabWith((offset) => (offset < count ? unread : behind(offset)))
    const history = await openKeyHistory({ get: store.get }, subject)
    expect(history.count).toBe(count)
    const lines = await history.lines(count, Math.max(1, count - 9), {})
    expect(new Set(lines.map((line) => line.kind))).toEqual(new Set([kind]))
    expect(lines[0]?.number).toBe(count)
  })
})

describe('the lines of a key', () => {
  const b = (text: string) => Buffer.from(text).toString('base64')
  /** A key with so many revisions, each written by the transaction of its number. */
  const written = (count: () => number) =>
    tabWith((offset, limit, isNewestFirst) => {
      const numberAt = (place: number) => (isNewestFirst ? count() - place : place + 1)
      const entries = Array.from({ length: limit }, (_, at) => numberAt(offset + at))
        .filter((number) => number > 0 && number <= count())
        .map((number) => ({ tx: String(number), key, value: b('v'), revision: String(number) }))
      return entries.length > 0
        ? Response.json({ entries })
        : recorded('truncation', 'history from 3')
    })

  test.each([0, 1, 4, 25])('are all there when %i revisions were written since', async (more) => {
    let count = 40
    const history = await openKeyHistory({ get: written(() => count).get }, subject)
    count += more
    const lines = await history.lines(30, 21, {})
    expect(lines.map(({ number, tx }) => `${number} ${tx}`)).toEqual(
      Array.from({ length: 10 }, (_, at) => `${30 - at} ${30 - at}`),
    )
  })

  test('that the server does not report are not said to be too large', async () => {
    let count = 40
    const history = await openKeyHistory({ get: written(() => count).get }, subject)
    count = 0
    const lines = await history.lines(30, 21, {})
    expect(lines.map(({ tx, kind }) => [tx, kind])).toEqual(Array(10).fill([null, null]))
  })
})

describe('the history of a reference', () => {
  const b = (text: string) => Buffer.from(text).toString('base64')
  const notFound = () => Response.json({ error: 'tbtree: key not found', code: 2 }, { status: 500 })
  /** Bound to transaction 4 in revision 1, free in 2; in 3 the other key is gone. */
  const bounds = ['4', undefined, undefined]

  function tabWithReference() {
    const sent: { path: string; body: object }[] = []
    const store = createStore()
    connect(store, '/api', async (input, init) => {
      const path = String(input).replace('/api', '')
      const body = typeof init?.body === 'string' ? JSON.parse(init.body) : {}
      if (path.startsWith('/db/get/')) {
        const number = Number(/atRevision=(\d)/.exec(path)?.[1] ?? 3)
        if (number === 3) return notFound()
        const atTx = bounds[number - 1]
        const referencedBy = {
          tx: `${number + 5}`,
          key,
          revision: `${number}`,
          ...(atTx && { atTx }),
        }
        return Response.json({ tx: atTx ?? '9', key: b('target'), value: b('x'), referencedBy })
      }
      if (path === '/db/history') {
        const value = (at: number) =>
          bytesToBase64(referenceValue(Buffer.from('target'), BigInt(bounds[at] ?? 0)).subarray(1))
        const entries = (body.desc ? [2, 1, 0] : [0, 1, 2])
          .slice(Number(body.offset), Number(body.offset) + body.limit)
          .map((at) => ({ tx: `${at + 6}`, key, revision: `${at + 1}`, value: value(at) }))
        return entries.length > 0 ? Response.json({ entries }) : notFound()
      }
      sent.push({ path, body })
      return Response.json({ id: '10', ts: '1' })
    })
    openQueryCache(store)
    const databaseTokens = new Map([['db', 'token']])
    store.set(sessionAtom, { user: 'u', token: 't', databaseTokens, isStored: false, since: 0 })
    return { store, sent }
  }

  const partsOf = async (number: number) => {
    const { store } = tabWithReference()
    const { parts, note } = await (await openKeyHistory(store, subject)).content(number, {})
    return { parts: parts.map(({ name, value }) => [name, value]), note }
  }
  const named = [['Refers to', b('target')]]

  test('says to which key it leads and as of which transaction', async () => {
    const value = [
      ['Value', b('x')],
      ['Expires', null],
    ]
    const bound = { parts: [...value, ...named, ['As of', '4']], note: null }
    expect(await partsOf(1)).toEqual(bound)
    expect(await partsOf(2)).toEqual({
      parts: [...value, ...named],
      note: 'This revision refers to another key. The value is the one that the other key has now.',
    })
    expect(await partsOf(3)).toEqual({
      parts: named,
      note: 'This revision refers to another key that was deleted or has expired.',
    })
  })

  test.for([
    [1, 'set a reference to the key target as of tx 4', { atTx: '4', boundRef: true }],
    [2, 'set a reference to the key target', {}],
  ] as const)('is restored as it was: revision %i', async ([number, statement, bound]) => {
    const { store, sent } = tabWithReference()
    const history = await openKeyHistory(store, subject)
    const plan = await planRestore(store, history, number)
    if ('why' in plan) throw new Error(plan.why)
    expect(plan.statement.split('\n')[0]).toBe(statement)
    await plan.send()
    const preconditions = [{ keyNotModifiedAfterTX: { key, txID: '8' } }]
    const body = { key, referencedKey: b('target'), ...bound, preconditions }
    expect(sent).toEqual([{ path: '/db/setreference', body }])
  })
})

describe('the questions for a revision of a key', () => {
  const b = (text: string) => Buffer.from(text).toString('base64')
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
  type Wire = { value?: string; expired?: true; metadata?: object }
  const deleted: Wire = { metadata: { deleted: true } }
  const expiresAt = '1600000000'
  const expired: Wire = { value: b('x'), expired: true, metadata: { expiration: { expiresAt } } }
  const dangling: Wire = {
    value: bytesToBase64(referenceValue(Buffer.from('target'), 4n).subarray(1)),
  }
  const live: Wire = { value: b('x') }

  /** A history of one revision in tx 6, which the server may describe otherwise later. */
  async function opened(first: Wire, answers = { history: first, get: first }) {
    const store = createStore()
    connect(store, '/api', async (input) => {
      const { history, get } = answers
      const entry = { tx: '6', key, revision: '1' }
      if (String(input).includes('/db/history')) {
        return Response.json({ entries: [{ ...entry, ...history }] })
      }
      return get === live
        ? Response.json({ ...entry, ...get })
        : Response.json({ error: 'tbtree: key not found', code: 2 }, { status: 500 })
    })
    openQueryCache(store)
    const history = await openKeyHistory(store, subject)
    const draw = async (): Promise<Drawn> => {
      const [line = null] = await history.lines(1, 1, {})
      return { number: 1, against: 0, content: await history.content(1, {}), line }
    }
    const ask = async (drawn: Drawn) => {
      const found = await history.questions(store, drawn)
      if ('why' in found) return found.why
      return found
    }
    return { answers, draw, ask }
  }
  const alone = ['the revision number', 'uncovered'] as const
  const meta = { deleted: false, expiresAt: null, nonIndexable: false }
  const own = { tx: '6', ts: '1', position: 0, key: hex(Buffer.from('greeting')), meta }
  const valueFacts = (value: string) => {
    return { ...own, kind: 'value', value: hex(Buffer.from(value)) }
  }
  const txFacts = (more: Partial<typeof meta> | { expiresAt: string }, valueHash = '00') => ({
    ...{ id: '6', ts: '1', version: 1, nentries: 1, prevAlh: '', alh: '', blTxId: '0' },
    ...{ truncatedTxID: '0', extra: '' },
    entries: [{ key: `00${own.key}`, meta: { ...meta, ...more }, valueHash }],
  })

  test.each([
    ['a value', live, valueFacts('x'), []],
    ['another value', live, valueFacts('y'), [['the value', 'differs']]],
    ['a deletion', deleted, txFacts({ deleted: true }), []],
    ['no deletion', deleted, txFacts({}), [['the deletion of the key', 'differs']]],
    ['an expired value', expired, txFacts({ expiresAt }), []],
    [
      'one that expires at another time',
      expired,
      txFacts({ expiresAt: '1600000001' }),
      [['the time it expires', 'differs']],
    ],
    [
      'one that does not expire',
      expired,
      txFacts({}),
      [
        ['the time it expires', 'differs'],
        ['that it has expired', 'differs'],
      ],
    ],
    [
      'a reference to nothing',
      dangling,
      txFacts({}, hex(hash(referenceValue(Buffer.from('target'), 4n)))),
      [['that its target is missing', 'uncovered']],
    ],
    [
      'a reference to another key',
      dangling,
      txFacts({}, hex(hash(referenceValue(Buffer.from('other'), 4n)))),
      [
        ['the target', 'differs'],
        ['that its target is missing', 'uncovered'],
      ],
    ],
  ] as const)('compare everything that is drawn: %s', async (_, drawn, facts, expected) => {
    const { draw, ask } = await opened(drawn)
    const [question, ...others] = await ask(await draw())
    if (!question || typeof question === 'string') throw new Error('no question')
    expect(others).toEqual([])
    const unequal = unequalIn(question, facts)
    expect(unequal.filter(([name]) => name !== alone[0])).toEqual(expected)
    expect(unequal).toContainEqual(alone)
  })

  test('are of what was drawn, whatever the server says when they are asked', async () => {
    const { answers, draw, ask } = await opened(deleted)
    const drawn = await draw()
    Object.assign(answers, { history: expired, get: expired })
    const [question] = await ask(drawn)
    if (!question || typeof question === 'string') throw new Error('no question')
    expect(unequalIn(question, txFacts({ expiresAt }))).toContainEqual([
      'the deletion of the key',
      'differs',
    ])
  })

  test('compare the list and the content, which are two answers', async () => {
    const { draw, ask } = await opened(live, { history: deleted, get: live })
    const [question] = await ask(await draw())
    if (!question || typeof question === 'string') throw new Error('no question')
    expect(unequalIn(question, valueFacts('x'))).toEqual([
      alone,
      ['the deletion of the key', 'differs'],
    ])
  })

  test('are not asked while nothing is drawn, or nothing could be read', async () => {
    const { draw, ask } = await opened(live)
    const drawn = await draw()
    expect(await ask({ ...drawn, content: null })).toBe('This revision has not been read yet.')
    const unread = { parts: [], dropped: [], note: 'This value is larger than 4 MiB.' }
    expect(await ask({ ...drawn, content: unread })).toMatch(/cannot be proven over HTTP/)
  })

  test('of a reference are for its target, too, which stands for the value', async () => {
    const facts = { ...own, kind: 'reference', referencedKey: hex(Buffer.from('target')) }
    const parts = [
      { name: 'Value', type: 'KEY', value: b('x') },
      { name: 'Expires', type: 'SECONDS', value: null },
      { name: 'Refers to', type: 'KEY', value: b('target') },
    ]
    const { draw, ask } = await opened(live)
    const bound = { name: 'As of', type: 'TX', value: '4' }
    const drawn = await draw()
    const asked = await ask({
      ...drawn,
      content: { parts: [...parts, bound], state: 'live', dropped: [], note: null },
    })
    const [question, behind] = asked
    if (!question || typeof question === 'string') throw new Error('no question')
    if (!behind || typeof behind === 'string') throw new Error('no other question')
    expect(behind.request).toEqual({ keyRequest: { key: b('target'), atTx: '4' } })
    expect(unequalIn(question, { ...facts, referencedAtTx: '4' })).toEqual([alone])
    expect(unequalIn(question, { ...facts, referencedAtTx: '0' })).toEqual([
      alone,
      ['the revision of the target', 'differs'],
    ])
    expect(unequalIn(question, valueFacts('x'))).toContainEqual(['the target', 'differs'])
    expect(unequalIn(behind, valueFacts('x'))).toEqual([])
    expect(unequalIn(behind, valueFacts('y'))).toEqual([['the value', 'differs']])
  })
})
