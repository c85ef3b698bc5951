// @vitest-environment node
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { openRowProof, verifyRows } from '~/atoms/rows/proofs'
import { rowProofsAtom, rowVerdictAtom, stopRows, summaryVerdictAtom } from '~/atoms/rows/row-marks'
import type { RowSet } from '~/core/row-set'
import { connect, type Store } from '~/core/session/client'
import { openQueryCache } from '~/core/session/query-client'
import { databaseIdAtom } from '~/core/session/session'
import { bytesToBase64 } from '~/lib/bytes'
import { gridMark } from '~/screens/proof/row-mark'
import { acknowledgeBreak, forgetState } from '~/trust/decisions'
import { comparedLeaves, unequalLeaves } from '~/trust/object-verdict'
import { acceptSchema, readSchemaChange } from '~/trust/pins'
import { proofDrawerAtom } from '~/trust/proof-drawer'
import { trustAtom } from '~/trust/trust'
import { trustedStatesAtom } from '~/trust/trusted-states'
import { verifyState } from '~/trust/verify-state'
import { History } from '../../support/history'
import { keptDoor, tabOf } from '../../support/proving-server'
import { deriveTable, type Row, RowServer, showRows, stored } from '../../support/row-server'

let server: RowServer
let store: Store

beforeEach(async () => {
  server = new RowServer(new History())
  server.add({ id: 21, name: 'n21' })
  server.add(...Array.from({ length: 20 }, (_, at) => ({ id: at + 1, name: `n${at + 1}` })))
  store = tabOf(server, keptDoor())
  connect(store, '/api', server.answer)
  openQueryCache(store)
  await deriveTable(store, server)
})

const show = (rows: readonly Row[], source?: string, type?: string) => showRows(rows, source, type)

/** A result that was read when nothing newer was there than this transaction. */
const shownAt = (txBefore: string, rows: readonly (Row & { rev?: number })[], source?: string) =>
  showRows(rows, source, undefined, txBefore)

const all = () => server.rows.map(({ row }) => row)
const byId = () => all().sort((one, other) => one.id - other.id)
const found = (rowSet: RowSet) => store.get(rowProofsAtom)(rowSet.number)
const verdictOn = (rowSet: RowSet) => store.get(summaryVerdictAtom)(rowSet).judged.verdict
const causes = (rowSet: RowSet) =>
  [...found(rowSet).marks].sort(([a], [b]) => a - b).map(([, { cause }]) => cause)

/** Keeps back answers about rows, as they were when they were asked for, until they are let go. */
function holdRows(isHeld: (body: string) => boolean) {
  let release: () => void = () => {}
  const gate = new Promise<void>((resolve) => {
    release = resolve
  })
  let tell: () => void = () => {}
  const arrived = new Promise<void>((resolve) => {
    tell = resolve
  })
  connect(store, '/api', async (input, init) => {
    const answer = await server.answer(input, init)
    if (!String(input).includes('/verifiable/sqlget') || !isHeld(String(init?.body))) return answer
    tell()
    await gate
    return answer
  })
  return { arrived, release: () => release() }
}

async function verifyAll(rowSet: RowSet) {
  const rows = Array.from({ length: rowSet.rows.rowCount }, (_, row) => row)
  await verifyRows(store, rowSet, rows)
  return found(rowSet)
}

test('a run over rows of a transaction of megabytes ends, and says how to go on', async () => {
  // A field that is null counts as left out, so the proof holds.
  const long = 'k'.repeat(8_000_000)
  const tooLarge = 'grpc: received message larger than max (9000000 vs. 4194304)'
  let proofs = 0
  connect(store, '/api', async (input, init) => {
    const answer = await server.answer(input, init)
    if (String(input).includes('RAW_VALUE') || String(init?.body).includes('RAW_VALUE')) {
      return Response.json({ error: tooLarge, code: 8, message: tooLarge }, { status: 429 })
    }
    if (!String(input).includes('/verifiable/sqlget')) return answer
    proofs += 1
    return Response.json({ ...(await answer.json()), [long]: null })
  })
  const rowSet = show(byId())
  const { summary } = await verifyAll(rowSet)
  expect(proofs).toBeLessThan(14)
  expect(summary?.text).toMatch(/^(8|9|1\d) of 21 rows verified, \d+ not looked at\. The proofs of/)
  expect(summary?.text).toMatch(/ended after 64 MiB\. Choose the rows that are left/)
})

describe('rows of a table that only the server has described', () => {
  const described = expect.stringContaining(
    'the name and columns of the table are the server’s word',
  )

  beforeEach(() => {
    store = tabOf(server, keptDoor())
    connect(store, '/api', server.answer)
    openQueryCache(store)
  })

  test('are verified in part at first sight and later, until an audit derives it', async () => {
    const rowSet = show(all())
    for (let time = 0; time < 2; time += 1) {
      const { marks, summary } = await verifyAll(rowSet)
      expect(new Set(causes(rowSet))).toEqual(new Set(['open']))
      expect(marks.get(20)).toMatchObject({ verdict: 'verified-in-part', gap: described })
      expect(summary?.text).toMatch(/^0 of 21 rows verified, 21 in part \(the name and columns/)
      expect(verdictOn(rowSet)).toBe('verified-in-part')
    }
    // Also those that one call proves.
    expect(server.count('RAW_VALUE')).toBeGreaterThan(0)
    await deriveTable(store, server)
    await verifyAll(rowSet)
    expect(verdictOn(rowSet)).toBe('verified')
  })

  test('are so again where nobody read on since the audit', async () => {
    await deriveTable(store, server, '2')
    const rowSet = show(all().slice(0, 1))
    expect((await verifyAll(rowSet)).marks.get(0)?.verdict).toBe('verified')
    // It may have renamed a column, which the server would keep to itself.
    server.add({ id: 22, name: 'n22' })
    await verifyState(store)
    const later = show(all().slice(0, 1))
    expect((await verifyAll(later)).marks.get(0)).toMatchObject({
      verdict: 'verified-in-part',
      gap: expect.stringMatching(/^the name and columns of the table/),
    })
    await deriveTable(store, server, '3')
    const again = show(all().slice(0, 1))
    expect((await verifyAll(again)).marks.get(0)?.verdict).toBe('verified')
  })

  test('are so again once an operator accepts another description', async () => {
    await deriveTable(store, server)
    const rowSet = show(all().slice(0, 1))
    expect((await verifyAll(rowSet)).marks.get(0)?.verdict).toBe('verified')
    server.column = 'title'
    await openRowProof(store, rowSet, 0)
    const state = store.get(proofDrawerAtom)?.state
    const proof = state?.kind === 'here' ? state.proofs[0] : undefined
    if (!proof) throw new Error('no proof')
    expect(await acceptSchema(store, proof.verification)).toBeNull()
    server.column = 'name'
    await openRowProof(store, rowSet, 0)
    expect(found(rowSet).marks.get(0)?.cause).toBe('redescribed')
    server.column = 'title'
    const renamed = showRows(all().slice(0, 1), 'SELECT id FROM t')
    expect((await verifyAll(renamed)).marks.get(0)?.verdict).not.toBe('verified')
  })
})

describe('several rows', () => {
  test('of one transaction are proven by one call, the others each by its own', async () => {
    const rowSet = show(all())
    const { marks, summary, run } = await verifyAll(rowSet)
    expect(summary?.text).toBe('21 of 21 rows verified.')
    expect(verdictOn(rowSet)).toBe('verified')
    expect(run).toBeNull()
    expect(marks.get(0)).toMatchObject({ cause: 'whole', tx: '1' })
    expect(marks.get(20)).toMatchObject({ cause: 'whole', tx: '2' })
    // Those of the last transaction: nothing can have been written behind it.
    expect(server.count('/db/verifiable/sqlget')).toBeLessThan(8)
    expect(server.count('RAW_VALUE')).toBe(1)
  })

  test('that are not as shown are told from those that are', async () => {
    const rows = byId().map((row) => (row.id === 7 ? { ...row, name: 'forged' } : row))
    const rowSet = show(rows)
    const { marks, summary } = await verifyAll(rowSet)
    expect(marks.get(6)).toMatchObject({ cause: 'different', tx: '2', columns: ['name'] })
    expect(summary?.text).toBe('20 of 21 rows verified, 1 not as shown here.')
    expect(verdictOn(rowSet)).toBe('contradicted')
    expect(store.get(trustAtom).kind).not.toBe('broken')
  })

  test('have the verdict of their own run, whatever other rows of the result have', async () => {
    const rowSet = show([{ id: 21, name: 'forged' }, ...byId().slice(0, 2)])
    await openRowProof(store, rowSet, 0)
    await verifyRows(store, rowSet, [1, 2])
    expect(found(rowSet).summary?.text).toBe('2 of 2 rows verified.')
    expect(verdictOn(rowSet)).toBe('verified')
  })

  test('that were written again since are compared with what is there now', async () => {
    const before = byId()
    server.add({ id: 3, name: 'newer' })
    const { marks, summary } = await verifyAll(shownAt('2', before))
    expect(marks.get(2)).toMatchObject({ cause: 'outdated', tx: '3', columns: ['name'] })
    expect(marks.get(3)).toMatchObject({ cause: 'whole', tx: '2' })
    expect(summary?.text).toBe('20 of 21 rows verified, 1 written again since.')
  })

  test('that are written again after the first look are not proven by the old transaction', async () => {
    const before = byId()
    let isWritten = false
    server.forge = (answer) => {
      if (!isWritten) server.add({ id: 3, name: 'newer' })
      isWritten = true
      return answer
    }
    const { marks } = await verifyAll(shownAt('2', before))
    expect(marks.get(2)).toMatchObject({ cause: 'outdated', tx: '3', columns: ['name'] })
  })

  test('that show more than is stored are verified in part, and are not counted', async () => {
    const source = 'SELECT id, UPPER(name) FROM t'
    const { marks, summary } = await verifyAll(show(all(), source))
    const gap = 'not covered by the proof: UPPER(name)'
    expect(marks.get(0)).toMatchObject({ cause: 'open', tx: '1', gap })
    expect(marks.get(9)?.cause).toBe('open')
    expect(summary?.text).toBe(`0 of 21 rows verified, 21 in part (${gap}).`)
    const mark = marks.get(0)
    expect(mark && gridMark(mark, store.get(rowVerdictAtom)(mark))).toEqual({
      tone: 'neutral',
      label: `In part, tx 1: ${gap}`,
    })
  })

  test('whose JSON cannot be compared are verified in part', async () => {
    server.type = 'JSON'
    await deriveTable(store, server)
    server.add({ id: 31, name: '{"a":1,"a":2}' }, { id: 32, name: '{ "a": 2 }' })
    const rows = [31, 32].map((id) => ({ id, name: '{"a":2}' }))
    const { marks } = await verifyAll(show(rows, undefined, 'JSON'))
    const gap = 'whether the JSON of name matches the stored value is not known'
    expect(marks.get(0)).toMatchObject({ cause: 'open', tx: '3', gap })
    expect(marks.get(1)).toMatchObject({ cause: 'whole', tx: '3' })
  })

  test.each([
    ['TIMESTAMP', '1700000000000000'],
    ['INTEGER', '1700000000000000'],
    ['BLOB', 'aGVsbG8='],
    ['JSON', '{}'],
  ])('that show a text as a %s are not as shown', async (type, name) => {
    const rows = Array.from({ length: 12 }, (_, at) => ({ id: 31 + at, name }))
    server.add(...rows)
    const { marks, summary } = await verifyAll(show(rows, undefined, type))
    expect(marks.get(0)).toMatchObject({ cause: 'different', tx: '3', columns: ['name'] })
    expect(summary?.text).toBe('0 of 12 rows verified, 12 not as shown here.')
  })

  test('that show a number as a moment are not as shown, and the proof says so', async () => {
    server.type = 'INTEGER'
    await deriveTable(store, server)
    // Eight bytes are a number, too.
    server.add({ id: 31, name: '\0\0\0\0\0\0\0\n' })
    const rows = [{ id: 31, name: '10' }]
    const right = await verifyAll(show(rows, undefined, 'INTEGER'))
    expect(right.marks.get(0)).toMatchObject({ cause: 'whole' })
    const rowSet = show(rows, undefined, 'TIMESTAMP')
    await openRowProof(store, rowSet, 0)
    const state = store.get(proofDrawerAtom)?.state
    const proof = state?.kind === 'here' ? state.proofs[0] : undefined
    expect(proof && unequalLeaves(proof)).toMatchObject([
      {
        name: 'name',
        value: { of: '10', type: 'TIMESTAMP' },
        proven: { of: '10', type: 'INTEGER' },
        match: 'differs',
      },
    ])
  })

  test('that show a column the proof does not know are not as shown', async () => {
    server.column = 'title'
    await deriveTable(store, server)
    const { marks } = await verifyAll(show(all().slice(0, 1)))
    expect(marks.get(0)).toMatchObject({ cause: 'different', columns: ['name'] })
  })

  test('stop at the first that is refused, and the history counts as broken', async () => {
    server.forge = (answer, id) =>
      id === 21
        ? {
            ...answer,
            sqlEntry: { tx: '1', value: bytesToBase64(stored({ id, name: 'x' }).value) },
          }
        : answer
    const rowSet = show([{ id: 21, name: 'x' }, ...all()])
    const { marks, summary } = await verifyAll(rowSet)
    expect(marks.get(0)).toMatchObject({ cause: 'refused', reason: 'entry-not-included' })
    expect(marks.size).toBe(1)
    expect(summary?.text).toBe('0 of 22 rows verified, 1 refused, 21 not looked at.')
    expect(verdictOn(rowSet)).toBe('failed')
    expect(store.get(trustAtom)).toMatchObject({ kind: 'broken', broken: { kind: 'object' } })
  })

  test('stop when the server goes away, which breaks nothing', async () => {
    server.refuse = (id) => {
      if (id === 21) throw new TypeError('connection refused')
      return undefined
    }
    const { summary, marks } = await verifyAll(show([{ id: 21, name: 'n21' }, ...all()]))
    expect(marks.get(0)?.cause).toBe('unasked')
    expect(summary?.text).toMatch(/^0 of 22 rows verified, 1 could not be asked for, 21 not looked/)
    expect(store.get(trustAtom).kind).not.toBe('broken')
  })

  test('of which one is still on its way when the others stop begin no run again', async () => {
    const rowSet = show([21, 1, 2].map((id) => ({ id, name: `n${id}` })))
    server.refuse = (id) => {
      if (id === 2) throw new TypeError('connection refused')
      return undefined
    }
    const { release } = holdRows((body) => body.includes('"n":"1"'))
    const { summary } = await verifyAll(rowSet)
    expect(summary?.text).toMatch(
      /^1 of 3 rows verified, 1 could not be asked for, 1 not looked at/,
    )
    vi.spyOn(performance, 'now').mockReturnValue(Number.MAX_SAFE_INTEGER)
    release()
    // Takes all the steps that the late one has left, and more.
    await openRowProof(store, rowSet, 1)
    vi.restoreAllMocks()
    expect(found(rowSet)).toMatchObject({ run: null, summary })
    expect((await verifyAll(rowSet)).run).toBeNull()
  })

  test('can be stopped; what was found out stays', async () => {
    const rowSet = show(all())
    const running = verifyAll(rowSet)
    stopRows(store, rowSet.number)
    expect((await running).summary?.text).toMatch(/Stopped\.$/)
    expect(verdictOn(rowSet)).toBe('unproven')
    expect(found(rowSet).run).toBeNull()
  })

  test('of which one is too large for an answer are verified all the same', async () => {
    server.refuse = (id) =>
      id === 21
        ? new Response(
            JSON.stringify({
              code: 8,
              message: 'grpc: received message larger than max (4194400 vs. 4194304)',
            }),
            {
              status: 429,
              headers: { 'content-type': 'application/json' },
            },
          )
        : undefined
    const rowSet = show([{ id: 21, name: 'n21' }, ...byId().slice(0, 20)])
    await verifyAll(rowSet)
    expect(causes(rowSet)).toEqual(['unasked', ...Array.from({ length: 20 }, () => 'whole')])
  })

  test('of results that left the output are forgotten, and a rerun starts from nothing', async () => {
    const [first, second] = [show(all()), show(all())]
    await verifyAll(first)
    expect(found(second).marks.size).toBe(0)
  })
})

describe('a row that is not as shown', () => {
  const incidents = async () =>
    (await store.get(trustedStatesAtom).others()).incidents.flatMap((log) => log.incidents)

  test('is an incident, and one more when it is seen again', async () => {
    const rowSet = shownAt('2', [{ id: 21, name: 'forged secret' }])
    await openRowProof(store, rowSet, 0)
    await verifyAll(rowSet)
    expect(await incidents()).toMatchObject([
      { kind: 'contradicted', what: 'row id = 21 of t', part: 'name', times: 2 },
    ])
    expect(JSON.stringify(await incidents())).not.toContain('secret')
  })

  test('is none when it may have been written after it was read', async () => {
    const before = byId().slice(0, 1)
    server.add({ id: 1, name: 'newer' })
    const rowSet = shownAt('2', before)
    await openRowProof(store, rowSet, 0)
    expect(found(rowSet).marks.get(0)?.cause).toBe('outdated')
    await verifyAll(rowSet)
    expect(await incidents()).toEqual([])
  })

  test('is one in a period of the past and in a history', async () => {
    server.add({ id: 21, name: 'newer' })
    await openRowProof(
      store,
      shownAt('3', [{ id: 21, name: 'forged' }], 'SELECT id, name FROM t UNTIL TX 2'),
      0,
    )
    await openRowProof(
      store,
      shownAt('0', [{ id: 21, name: 'forged', rev: 1 }], 'SELECT * FROM (HISTORY OF t)'),
      0,
    )
    expect(await incidents()).toMatchObject([
      { what: 'row id = 21 of t', part: 'name', times: 1 },
      { what: 'row id = 21 of t, revision 1', part: 'name', times: 1 },
    ])
  })

  test.each([
    ['of the present', 'SELECT id, name FROM t'],
    ['of the past', 'SELECT id, name FROM t UNTIL TX 2'],
    ['of a history', 'SELECT _rev, id, name FROM (HISTORY OF t)'],
  ])('among many %s does not fill the log', async (_, source) => {
    const rows = byId().map((row) => ({ ...row, name: `forged ${row.id}`, rev: 1 }))
    // Of the past, for they are written again.
    if (source.includes('UNTIL')) server.add(...byId())
    const rowSet = shownAt('3', rows, source)
    await verifyAll(rowSet)
    const noted = await incidents()
    expect(noted).toHaveLength(11)
    expect(noted.map(({ what }) => what)).toContain('11 more rows of t')
    await verifyAll(rowSet)
    expect((await incidents()).map(({ times }) => times)).toEqual(Array(11).fill(2))
  })
})

describe('results without rows that can be verified', () => {
  test.each([
    ['SELECT name FROM t', /combines rows/],
    ['SELECT id, name FROM v', 'v is not a table: only stored rows can be verified.'],
    ['SELECT name, id AS x FROM t', /This result lacks id/],
  ])('%s: say why, and ask for no proof', async (source, why) => {
    const rowSet = show(all(), source)
    const { refusal: said, marks } = await verifyAll(rowSet)
    expect(said).toMatch(why)
    expect(marks.size).toBe(0)
    expect(server.count('/db/verifiable')).toBe(0)
  })
})

describe('one row', () => {
  const proofs = () => {
    const state = store.get(proofDrawerAtom)?.state
    return state?.kind === 'here' ? state.proofs : []
  }

  test('opens its proof with each shown cell beside the proven one, and is marked', async () => {
    const rowSet = show([{ id: 21, name: 'else' }])
    await openRowProof(store, rowSet, 0)
    expect(store.get(proofDrawerAtom)?.what).toBe('row id = 21 of t')
    expect(proofs().flatMap(comparedLeaves)).toMatchObject([
      { name: 'id', value: { of: '21' }, proven: { of: '21' }, match: 'same' },
      { name: 'name', value: { of: 'else' }, proven: { of: 'n21' }, match: 'differs' },
      { name: 'the deletion', value: { of: 'false' }, proven: { of: 'false' }, match: 'same' },
    ])
    expect(found(rowSet).marks.get(0)).toMatchObject({ cause: 'different' })
  })

  test('that was counted as right and is found to be another takes the summary with it', async () => {
    const rowSet = show([
      { id: 21, name: 'n21' },
      { id: 1, name: 'n1' },
    ])
    await verifyAll(rowSet)
    await openRowProof(store, rowSet, 0)
    expect(found(rowSet).summary?.text).toBe('2 of 2 rows verified.')
    server.add({ id: 21, name: 'else' })
    await openRowProof(store, rowSet, 0)
    expect(causes(rowSet)).toEqual(['different', 'whole'])
    expect(found(rowSet).summary).toBeNull()
  })

  test('that is verified again while all are keeps the newer mark, which is what is counted', async () => {
    const rows = [21, 1, 2].map((id) => ({ id, name: `n${id}` }))
    const rowSet = show(rows)
    const { arrived, release } = holdRows((body) => !body.includes('"21"'))
    const running = verifyAll(rowSet)
    await arrived
    server.add({ id: 21, name: 'else' })
    await openRowProof(store, rowSet, 0)
    expect(found(rowSet).marks.get(0)?.cause).toBe('different')
    release()
    const { marks, summary } = await running
    expect([0, 1, 2].map((row) => marks.get(row)?.cause)).toEqual(['different', 'whole', 'whole'])
    expect(summary?.text).toBe('2 of 3 rows verified, 1 not as shown here.')
  })

  test('that was asked for before all were and is answered late keeps the newer mark', async () => {
    const rowSet = show([{ id: 21, name: 'n21' }])
    await openRowProof(store, rowSet, 0)
    let held = 1
    const { arrived, release } = holdRows(() => held-- > 0)
    const early = openRowProof(store, rowSet, 0)
    await arrived
    server.add({ id: 21, name: 'else' })
    await verifyAll(rowSet)
    release()
    await early
    expect(found(rowSet).marks.get(0)?.cause).toBe('different')
    expect(found(rowSet).summary?.text).toBe('0 of 1 row verified, 1 not as shown here.')
  })

  test('that is not there cannot be proven, and breaks nothing', async () => {
    const rowSet = show([{ id: 99, name: 'none' }])
    await openRowProof(store, rowSet, 0)
    expect(proofs()[0]?.verification.outcome.kind).toBe('unproven')
    expect(found(rowSet).marks.get(0)?.cause).toBe('none')
    expect(store.get(trustAtom).kind).not.toBe('broken')
  })

  test('of a table that is described otherwise is refused until that is accepted', async () => {
    const rowSet = show([{ id: 21, name: 'n21' }])
    await openRowProof(store, rowSet, 0)
    expect(found(rowSet).marks.get(0)?.cause).toBe('whole')
    server.column = 'title'
    await openRowProof(store, rowSet, 0)
    const [refused] = proofs()
    if (!refused) throw new Error('no proof')
    expect(found(rowSet).marks.get(0)).toMatchObject({
      cause: 'redescribed',
      reason: 'schema-changed',
    })
    expect(store.get(trustAtom).kind).not.toBe('broken')
    expect(await readSchemaChange(store, refused.verification)).toEqual({
      pinned: ['table number 1', '1 id INTEGER', '2 name VARCHAR', 'key (id)'],
      claimed: ['table number 1', '1 id INTEGER', '2 title VARCHAR', 'key (id)'],
    })
    expect(await acceptSchema(store, refused.verification)).toBeNull()
    await openRowProof(store, rowSet, 0)
    expect(proofs()[0]?.verification.outcome.kind).toBe('ok')
  })

  test('that is forged is told as such, however its table is described', async () => {
    const rowSet = show([{ id: 21, name: 'forged' }])
    await openRowProof(store, show([{ id: 21, name: 'n21' }]), 0)
    server.column = 'title'
    const value = bytesToBase64(stored({ id: 21, name: 'forged' }).value)
    server.forge = (answer) => ({ ...answer, sqlEntry: { tx: '1', value } })
    await openRowProof(store, rowSet, 0)
    expect(found(rowSet).marks.get(0)).toMatchObject({
      cause: 'refused',
      reason: 'entry-not-included',
    })
    expect(store.get(trustAtom)).toMatchObject({ kind: 'broken', broken: { kind: 'object' } })
  })

  test.each([
    ['is followed again', true],
    ['is not followed yet', false],
  ])('of a history that was forgotten says nothing of the table where it %s', async (_, isAnew) => {
    const rowSet = show([{ id: 21, name: 'n21' }])
    await openRowProof(store, rowSet, 0)
    server.column = 'title'
    await openRowProof(store, rowSet, 0)
    const [refused] = proofs()
    if (!refused) throw new Error('no proof')
    await forgetState(store, store.get(databaseIdAtom)('db'), 'restored')
    if (isAnew) await verifyState(store)
    expect(await acceptSchema(store, refused.verification)).toMatch(/has since been forgotten/)
    const [record] = await store.get(trustedStatesAtom).all()
    expect(record?.schemas.size).toBe(isAnew ? 0 : undefined)
  })

  test('of a description that cannot be kept is not called accepted', async () => {
    const rowSet = show([{ id: 21, name: 'n21' }])
    await openRowProof(store, rowSet, 0)
    server.column = 'title'
    await openRowProof(store, rowSet, 0)
    const [refused] = proofs()
    if (!refused) throw new Error('no proof')
    const full = new DOMException('full', 'QuotaExceededError')
    vi.spyOn(store.get(trustedStatesAtom), 'pinSchema').mockRejectedValue(full)
    expect(await acceptSchema(store, refused.verification)).toMatch(/could not be saved/)
  })

  test('whose table was altered since its alarm is held against what is accepted now', async () => {
    const rowSet = show([{ id: 21, name: 'n21' }])
    await openRowProof(store, rowSet, 0)
    server.forge = (answer) => ({ ...answer, sqlEntry: {} })
    await openRowProof(store, rowSet, 0)
    expect(store.get(trustAtom)).toMatchObject({ kind: 'broken', broken: { kind: 'object' } })
    server.forge = (answer) => answer
    server.column = 'title'
    expect(await acknowledgeBreak(store, 'check', '')).toMatchObject({
      kind: 'broken',
      unproven: expect.stringMatching(/^The server describes the table differently/),
    })
    await openRowProof(store, rowSet, 0)
    const [refused] = proofs()
    if (!refused) throw new Error('no proof')
    await acceptSchema(store, refused.verification)
    expect(await acknowledgeBreak(store, 'check', '')).toMatchObject({
      kind: 'first',
    })
  })

  test('of a table that two proofs see for the first time fits one description, and no other', async () => {
    let arrived: () => void = () => {}
    const both = new Promise<void>((resolve) => {
      let left = 2
      arrived = () => {
        left -= 1
        if (left === 0) resolve()
      }
    })
    let count = 0
    connect(store, '/api', async (input, init) => {
      const isRow = String(input).includes('/verifiable/sqlget')
      if (isRow) {
        count += 1
        server.column = count === 1 ? 'name' : 'title'
      }
      const answer = await server.answer(input, init)
      // Neither is checked before both have been answered.
      if (isRow && count <= 2) {
        arrived()
        await both
      }
      return answer
    })
    const entries = [show([{ id: 1, name: 'n1' }]), show([{ id: 2, name: 'n2' }])]
    await Promise.all(entries.map((rowSet) => openRowProof(store, rowSet, 0)))
    const marks = entries.map((rowSet) => found(rowSet).marks.get(0))
    expect(marks.map((mark) => mark?.cause).sort()).toEqual(['redescribed', 'whole'])
    expect(marks).toContainEqual(expect.objectContaining({ reason: 'schema-changed' }))
    expect(store.get(trustAtom).kind).not.toBe('broken')
  })
})
