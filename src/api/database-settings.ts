import * as v from 'valibot'
import { allSettings, type DatabaseSettings, type Setting } from '~/immudb/database-settings'
import type { Client } from './client'
import { ApiError } from './errors'
import { filled, flag, int64, isRecord, listAnswer, object, text } from './schemas'

const float = v.pipe(
  v.optional(
    v.pipe(
      v.number(),
      v.check((value) => Number.isFinite(value)),
    ),
    0,
  ),
  v.transform(String),
)
const asText = v.pipe(flag, v.transform(String))
/** A password never leaves this room; only whether there is one. */
const secret = v.pipe(
  text,
  v.transform((value) => (value === '' ? '' : hiddenSecret)),
)

/** Shown in place of a secret that is set. */
export const hiddenSecret = '•••'

const values: Record<Setting['kind'], v.GenericSchema<unknown, string>> = {
  count: int64,
  bytes: int64,
  period: int64,
  percent: float,
  flag: asText,
  text,
  secret,
}

const wrappers = new Map(
  allSettings.map(({ path, kind }) => [path, v.optional(object({ value: values[kind] }))]),
)

const answered = object({ name: filled, settings: v.pipe(v.unknown(), v.check(isRecord)) })

/**
 * Settings in an answer by path, without those that the server leaves out.
 * @throws {ApiError} `bad-answer` for a value of the wrong type
 */
function settingsOf(answer: unknown): DatabaseSettings {
  const found = new Map<string, string>()
  for (const [path, schema] of wrappers) {
    const result = v.safeParse(schema, valueAt(answer, path))
    if (!result.success) throw unexpected(path)
    if (result.output) found.set(path, result.output.value)
  }
  return found
}

function unexpected(place: string): ApiError {
  return new ApiError({ kind: 'bad-answer', text: `unexpected ${place}` })
}

function valueAt(answer: unknown, path: string): unknown {
  let at = answer
  for (const key of path.split('.')) {
    if (typeof at !== 'object' || at === null) return at ?? undefined
    at = Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined
  }
  return at
}

const listed = listAnswer('databases', answered)

/**
 * The settings of a database, even an unloaded one. `POST /db/list/v2` has those of each database,
 * while `settings/v2` only has those of the open one. Rejects when the list lacks the database.
 */
export async function readSettings(
  client: Client,
  name: string,
  signal?: AbortSignal,
): Promise<DatabaseSettings> {
  const answer = await client.call(listed, {
    method: 'POST',
    path: '/db/list/v2',
    body: {},
    isRead: true,
    ...(signal ? { signal } : {}),
  })
  const found = answer.find((database) => database.name === name)
  if (!found) throw new ApiError({ kind: 'refused', text: 'database does not exist' })
  return settingsOf(found.settings)
}

const created = object({ name: filled })

/** `POST /db/create/v2` with the settings that differ from the server's; resolves with the stored name. */
export async function createDatabase(
  client: Client,
  request: { name: string; settings: DatabaseSettings },
): Promise<string> {
  const body = { name: request.name, settings: nested(request.settings) }
  return (await client.call(created, { method: 'POST', path: '/db/create/v2', body })).name
}

const updated = object({ database: filled })

/**
 * `POST /db/update/v2` with the changed settings. `settings` is always sent: without it the server
 * crashes (nil pointer in `overwriteWith`, pkg/server/db_options.go, 1.11.1).
 */
export async function updateSettings(
  client: Client,
  request: { name: string; settings: DatabaseSettings },
): Promise<void> {
  const body = { database: request.name, settings: nested(request.settings) }
  await client.call(updated, { method: 'POST', path: '/db/update/v2', body })
}

type Wrapper = { value: unknown }

/** The nested and wrapped form that the server requires. */
function nested(settings: DatabaseSettings): Record<string, Wrapper | Record<string, Wrapper>> {
  const top = new Map<string, Wrapper>()
  const groups = new Map<string, Record<string, Wrapper>>()
  for (const setting of allSettings) {
    const value = settings.get(setting.path)
    if (value === undefined) continue
    const wrapper = { value: wireValue(setting, value) }
    const [first = '', second] = setting.path.split('.')
    if (second === undefined) top.set(first, wrapper)
    else groups.set(first, { ...groups.get(first), [second]: wrapper })
  }
  return { ...Object.fromEntries(top), ...Object.fromEntries(groups) }
}

/** Periods have 64 bits and are sent as text, other numbers as numbers. */
function wireValue({ kind }: Setting, value: string): unknown {
  if (kind === 'flag') return value === 'true'
  return kind === 'count' || kind === 'bytes' || kind === 'percent' ? Number(value) : value
}
