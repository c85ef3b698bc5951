import { createStore } from 'jotai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase, refreshDatabases } from '~/atoms/databases/database-list'
import { outputAtom, setOutput } from '~/atoms/query/output'
import type { OutputEntry } from '~/atoms/query/output-entry'
import { runStatements } from '~/atoms/query/run'
import { connect, type Store } from '~/core/session/client'
import { logIn } from '~/core/session/login'
import { openQueryCache } from '~/core/session/query-client'
import { openStorage } from '~/core/storage/storage'
import { storageAtom } from '~/core/storage/stored'
import { chapters } from '~/screens/guide/chapters/chapters'
import type { Chapter, ExampleOutcome, KeyBlock, SqlBlock } from '~/screens/guide/guide'
import { formatCell } from '~/sql/cells'
import type { ResultTable } from '~/sql/result'
import { splitStatements } from '~/sql/statements'
import { type Api, api } from '../support/api'
import { type ImmudbServer, startServer } from '../support/immudb'

let server: ImmudbServer
let admin: Api
let store: Store

beforeAll(async () => {
  server = await startServer()
  admin = await api(server.url)
})

afterAll(() => server.dispose())

/** Opens a new, empty database as the system admin, which is what a chapter begins with. */
async function openEmpty(name: string): Promise<void> {
  await admin.createDatabase(name)
  store = createStore()
  connect(store, `${server.url}/api`)
  store.set(
    storageAtom,
    openStorage(
      () => Promise.reject(new Error('none is needed')),
      () => {},
    ),
  )
  openQueryCache(store)
  await logIn(store, { user: 'immudb', password: 'immudb', isStored: false })
  await refreshDatabases(store)
  await openDatabase(store, name)
}

/** Runs a text as the button “Run all” would, and says what a reader sees of each statement. */
async function seen(sql: string): Promise<ExampleOutcome[]> {
  await setOutput(store, [])
  await runStatements(store, sql, splitStatements(sql))
  return store.get(outputAtom).flatMap((item) => (item.kind === 'entry' ? outcomeOf(item) : []))
}

function outcomeOf({ failure, result, message, notes }: OutputEntry): ExampleOutcome {
  if (failure) {
    const { text, hint } = failure
    return { kind: 'failed', text, ...(hint === null ? {} : { hint }) }
  }
  if (!result) return { kind: 'done', text: message ?? '' }
  const note = notes.length > 0 ? { note: notes.join(' ') } : {}
  return {
    kind: 'rows',
    columns: result.columns.map(({ label }) => label),
    rows: cells(result),
    ...note,
  }
}

function cells({ columns, rowCount }: ResultTable): (string | null)[][] {
  return Array.from({ length: rowCount }, (_, row) =>
    columns.map(({ type, values }) => {
      const cell = formatCell(type, values[row] ?? null, 'utc')
      return cell.kind === 'null' ? null : cell.text
    }),
  )
}

function blocksOf<K extends 'sql' | 'key'>(
  { sections }: Chapter,
  kind: K,
): Extract<SqlBlock | KeyBlock, { kind: K }>[] {
  const isWanted = (block: unknown): block is Extract<SqlBlock | KeyBlock, { kind: K }> =>
    typeof block === 'object' && block !== null && 'kind' in block && block.kind === kind
  return sections.flatMap(({ blocks }) => blocks.filter(isWanted))
}

const withSql = chapters.filter((chapter) => blocksOf(chapter, 'sql').length > 0)

describe('the examples of the chapter', () => {
  test.for(withSql.map((chapter) => [chapter.title, chapter] as const))(
    '%s give what the guide shows',
    async ([, chapter]) => {
      await openEmpty(`guide_${chapter.id}`)
      const examples = blocksOf(chapter, 'sql')
      const found: { sql: string; outcomes: ExampleOutcome[] }[] = []
      for (const { sql } of examples) found.push({ sql, outcomes: await seen(sql) })
      expect(found).toEqual(examples.map(({ sql, outcomes }) => ({ sql, outcomes })))
    },
  )

  test('are more than a few', () => {
    expect(withSql.map(({ id }) => id)).toEqual(['first', 'sql', 'time', 'users', 'trouble'])
    expect(withSql.flatMap((chapter) => blocksOf(chapter, 'sql')).length).toBeGreaterThan(80)
  })
})

test('the values of a key become its revisions, in the order shown', async () => {
  await openEmpty('guide_keys')
  await admin.use('guide_keys')
  const keys = chapters.flatMap((chapter) => blocksOf(chapter, 'key'))
  expect(keys.length).toBeGreaterThan(1)
  const bytes = (text: string) => Buffer.from(text).toString('base64')
  for (const { key, values } of keys) {
    for (const value of values) {
      await admin.call('/db/set', { KVs: [{ key: bytes(key), value: bytes(value) }] })
    }
    type History = { entries: { value: string; revision: string }[] }
    const { entries } = await admin.call<History>('/db/history', { key: bytes(key) })
    expect(entries.map(({ value, revision }) => [Number(revision), value])).toEqual(
      values.map((value, at) => [at + 1, bytes(value)]),
    )
  }
})
