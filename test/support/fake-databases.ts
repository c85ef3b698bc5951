import { failure, json } from './fake-faults'
import type { FakeCall } from './fake-immudb'
import type { FakeDatabase } from './fake-sql'
import { recorded, recordedResponse } from './recorded'

type Databases = Map<string, FakeDatabase>

const reserved = new Set(['defaultdb', 'systemdb'])

/**
 * Answers the calls that manage databases as immudb 1.11.1 does, or null when it is no such call;
 * `level` is the user's on a database.
 */
export function answerDatabases(
  call: FakeCall,
  databases: Databases,
  level: (database: string) => number,
): Response | null {
  const name = String(call.body.database ?? call.body.name ?? '')
  const answer = (what: string) => recordedResponse(recorded('databases', what))
  switch (`${call.method} ${call.path.split('?')[0]}`) {
    case 'POST /db/create/v2':
      return create(call, databases, level('*'))
    case 'POST /db/load':
    case 'POST /db/unload':
    case 'POST /db/delete':
    case 'POST /db/truncate':
    case 'POST /db/update/v2': {
      const refusal = refused(name, databases, level(name))
      if (refusal) return refusal
      return manage(call, name, databases)
    }
    case 'GET /db/flushindex':
    case 'GET /db/compactindex': {
      const found = databases.get(call.database ?? '')
      if (level(call.database ?? '') < 254) return failure(500, 13, 'permission denied')
      if (!found?.isLoaded) return answer('use unloaded')
      return answer(call.path.startsWith('/db/flush') ? 'flushindex' : 'compactindex too early')
    }
    default:
      return null
  }
}

function create({ body }: FakeCall, databases: Databases, level: number): Response {
  const answer = (what: string) => recordedResponse(recorded('databases', what))
  const name = String(body.name).toLowerCase()
  if (level < 255) {
    return failure(500, 2, 'loggedin user does not have permissions for this operation')
  }
  if (reserved.has(name)) return answer('create reserved')
  if (!/^[\p{Ll}\p{Nd}_]{1,128}$/u.test(name)) return answer('create bad name')
  if (databases.has(name)) return answer('create v2 again')
  const settings = objectOf(body.settings)
  databases.set(name, { isLoaded: true, txId: 0, tables: new Map(), settings })
  return json(JSON.stringify({ name, settings }))
}

function refused(name: string, databases: Databases, level: number): Response | null {
  const answer = (what: string) => recordedResponse(recorded('databases', what))
  if (reserved.has(name)) return answer('delete reserved')
  if (level < 254) {
    const text = `the database '${name}' does not exist or you do not have admin permission on this database`
    return failure(500, 2, text)
  }
  return databases.has(name) ? null : failure(500, 2, 'database does not exist')
}

function manage(call: FakeCall, name: string, databases: Databases): Response {
  const answer = (what: string) => recordedResponse(recorded('databases', what))
  const found = databases.get(name)
  const done = () => json(JSON.stringify({ database: name }))
  if (!found) return answer('delete unknown')
  switch (call.path) {
    case '/db/load':
      if (found.isLoaded) return answer('load again')
      found.isLoaded = true
      return done()
    case '/db/unload':
      if (!found.isLoaded) return answer('unload again')
      found.isLoaded = false
      return done()
    case '/db/delete':
      if (found.isLoaded) return answer('delete loaded')
      databases.delete(name)
      return done()
    case '/db/truncate':
      return answer('truncate nothing old enough')
    default:
      // The real server ends here, with a nil pointer.
      if (call.body.settings === undefined) throw new TypeError('fetch failed')
      found.settings = merged(found.settings ?? {}, objectOf(call.body.settings))
      return done()
  }
}

type Tree = Readonly<Record<string, unknown>>

function merged(into: Tree, from: Tree): Tree {
  const entries = Object.entries(from).map(([key, value]) => {
    const isGroup = !Object.hasOwn(objectOf(value), 'value')
    return [key, isGroup ? merged(objectOf(into[key]), objectOf(value)) : value]
  })
  return { ...into, ...Object.fromEntries(entries) }
}

function objectOf(value: unknown): Tree {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
