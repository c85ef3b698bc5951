import { readFileSync } from 'node:fs'

/** A recorded SQL request and its answer; `error` is empty when the server had none. */
export type Recorded = {
  readonly name: string
  readonly path: string
  readonly sql: string
  readonly error: string
  readonly body: unknown
}

type Pair = {
  name: string
  request: { path: string; body?: { sql?: string } }
  response: { body?: { error?: string } }
}

/** The recorded answers of these groups to requests that carried SQL, or asked for tables. */
export function answersOf(...groups: readonly string[]): Recorded[] {
  return groups.flatMap((group) => {
    const file = new URL(`../fixtures/immudb/${group}.json`, import.meta.url)
    const { pairs } = JSON.parse(readFileSync(file, 'utf8')) as { pairs: Pair[] }
    return pairs.map(({ name, request, response }) => ({
      name,
      path: request.path,
      sql: request.body?.sql ?? '',
      error: response.body?.error ?? '',
      body: response.body,
    }))
  })
}

/** A recorded answer by name. */
export function answerOf(group: string, name: string): Recorded {
  const found = answersOf(group).find((recorded) => recorded.name === name)
  if (!found) throw new Error(`nothing was recorded as ${name}`)
  return found
}
