import { nullCell } from '../support/snippets'

/** A value of the REST interface as the one text by which all languages are compared. */
export function cellOf(value: Readonly<Record<string, unknown>>): string {
  const [[kind, one] = []] = Object.entries(value)
  if (kind === 'null') return nullCell
  return kind === 'bs' ? Buffer.from(String(one), 'base64').toString('hex') : String(one)
}

type Answer = {
  readonly value?: string
  readonly rows?: readonly { readonly values: readonly Readonly<Record<string, unknown>>[] }[]
  readonly revisions?: readonly { readonly document: unknown }[]
  readonly entries?: readonly { readonly key: string; readonly value: string }[]
}

/** What snippets print that show the server’s JSON as it is, an answer in each line. */
function answers(output: Buffer): Answer[] {
  return output
    .toString()
    .trim()
    .split(/(?<=\})\n?(?=\{)/)
    .map((line) => JSON.parse(line))
}

const bytes = (base64: string) => Buffer.from(base64, 'base64')

export const asAnswered = {
  key: (output: Buffer) => bytes(answers(output)[0]?.value ?? ''),
  rows: (output: Buffer) =>
    answers(output).flatMap(({ rows = [] }) => rows.map(({ values }) => values.map(cellOf))),
  documents: (output: Buffer) =>
    answers(output).flatMap(({ revisions = [] }) => revisions.map(({ document }) => document)),
  scan: (output: Buffer) =>
    answers(output).flatMap(({ entries = [] }) =>
      entries.map(({ key, value }) => [bytes(key), bytes(value)] as const),
    ),
}

/** Lines of JSON. */
export function jsonLines(output: Buffer): readonly unknown[] {
  return output
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** Lines of a key and its value in hexadecimal digits. */
export function hexPairs(output: Buffer): (readonly [Buffer, Buffer])[] {
  return output
    .toString()
    .trim()
    .split('\n')
    .map((line) => {
      const [key = '', value = ''] = line.split(' ')
      return [Buffer.from(key, 'hex'), Buffer.from(value, 'hex')] as const
    })
}
