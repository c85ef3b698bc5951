// @vitest-environment node
import { createStore } from 'jotai'
import { beforeEach, describe, expect, test } from 'vitest'
import { defaultFrom, MomentError, resolve, typedMoment } from '~/atoms/compare/moments'
import { clientAtom, connect, type Store } from '~/core/session/client'

let store: Store
/** Seconds of each transaction, from the first on. */
let times: number[]

/** A server that has these transactions and nothing in them. */
async function answer(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  if (String(input).endsWith('/db/state')) {
    return Response.json({ db: 'd', txId: String(times.length), txHash: btoa('\0'.repeat(32)) })
  }
  const { initialTx, limit, desc } = JSON.parse(String(init?.body))
  const all = times.map((ts, at) => ({ header: { id: String(at + 1), ts: String(ts) } }))
  const from = Number(initialTx) - 1
  const txs = desc
    ? all.slice(Math.max(0, from - limit + 1), from + 1).reverse()
    : all.slice(from, from + limit)
  return Response.json(txs.length === 0 ? {} : { txs })
}

beforeEach(() => {
  times = Array.from({ length: 300 }, (_, at) => 1_000 + at * 10)
  store = createStore()
  connect(store, '/api', answer)
})

const find = (moment: string) => resolve(store.get(clientAtom), { database: 'd', moment })
const at = (seconds: number) => new Date(seconds * 1_000).toISOString().replace('.000', '')

describe('a moment of an address', () => {
  test('is a transaction of the database, with its time', async () => {
    expect(await find('tx:42')).toEqual({ tx: '42', ts: '1410', isAbout: false })
  })

  test('may be the empty database before all transactions', async () => {
    expect(await find('tx:0')).toEqual({ tx: '0', ts: null, isAbout: false })
    expect(await find(at(999))).toEqual({ tx: '0', ts: null, isAbout: false })
  })

  test('is the last transaction at or before a time', async () => {
    expect((await find(at(1_410))).tx).toBe('42')
    expect((await find(at(1_419))).tx).toBe('42')
    expect((await find(at(9_999_999))).tx).toBe('300')
  })

  test('is about where the clock stepped back', async () => {
    times[45] = 1_400
    expect((await find(at(1_410))).isAbout).toBe(true)
  })

  test.for(['tx:301', 'tx:99999999999999999999999999'])('has an answer for %s', async (moment) => {
    await expect(find(moment)).rejects.toMatchObject({
      message: expect.stringMatching(/^There is no transaction [^.]*\.$/),
      newest: '300',
    })
  })

  test.for([
    ['42', '42'],
    ['007', '7'],
    ['0', '0'],
  ])('reads %s as it would be typed', async ([typed = '', tx]) => {
    expect((await find(typed)).tx).toBe(tx)
  })

  test.for(['tx:-4', 'soon', '2026-02-31T00:00:00Z', 'tx:'])('is refused: %s', async (moment) => {
    const failure = find(moment)
    await expect(failure).rejects.toBeInstanceOf(MomentError)
    await expect(failure).rejects.toThrow(/is not a moment/)
  })
})

test.for([
  ['42', 'tx:42'],
  [' tx 12,904 ', 'tx:12904'],
  ['tx:007', 'tx:7'],
  ['0', 'tx:0'],
  ['2026-11-21 09:00', '2026-11-21T09:00:00Z'],
  ['2026-11-21T09:00:05Z', '2026-11-21T09:00:05Z'],
  ['2026-02-31 09:00', null],
  ['-1', null],
  ['soon', null],
  ['21 Nov 2026, 09:00:05 UTC', '2026-11-21T09:00:05Z'],
  ['2026-11-21T09:00:05+01:00', '2026-11-21T08:00:05Z'],
  ['', null],
])('what is typed as %s is %s', ([text, moment]) => {
  expect(typedMoment(text ?? '')).toBe(moment)
})

test.for([
  ['500', '433', 'tx:433'],
  ['500', null, 'tx:400'],
  ['500', '500', 'tx:400'],
  ['500', '501', 'tx:400'],
  ['100', null, 'tx:1'],
  ['7', null, 'tx:1'],
  ['1', null, 'tx:0'],
  ['0', null, 'tx:0'],
] as const)('up to %s with the last visit at %s a comparison begins at %s', ([to, visit, from]) => {
  expect(defaultFrom(to, visit)).toBe(from)
})
