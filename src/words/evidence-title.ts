import { formatTx } from '~/lib/text'

type Subject =
  | { kind: 'key' | 'reference'; key: string; tx: string }
  | { kind: 'row'; table: number; cells: readonly Cell[]; deleted: boolean; tx: string }
  | { kind: 'document'; id: string; collection: number; deleted: boolean; tx: string }
  | { kind: 'tx' | 'state' | 'audit'; tx: string }
  | { kind: 'fork'; after: string }

type Cell = { name: string; value: string }

/** Words of ours, or a name that is stored and could look like a sentence. */
export type TitlePart = string | { name: string }

/**
 * The heading of evidence, made of proven facts alone. What the file calls itself is never in it.
 * @param subject null where nothing is proven
 * @param kind what the file says that it is about
 * @param container the name of the table or collection where this browser derived its description
 * from the history; else null, and columns have no names either
 */
export function evidenceTitle(
  subject: Subject | null,
  { kind, isRefused, container }: { kind: string; isRefused: boolean; container: string | null },
): readonly TitlePart[] {
  if (!subject) {
    const noun = nouns[kind]
    if (!isRefused || !noun) return ['Answer without a proof']
    return [`Refused proof of ${noun}`]
  }
  switch (subject.kind) {
    case 'key':
      return ['Key ', { name: subject.key }, `, written in tx ${formatTx(subject.tx)}`]
    case 'reference':
      return ['Reference ', { name: subject.key }, `, written in tx ${formatTx(subject.tx)}`]
    case 'row': {
      const cells = subject.cells.flatMap(({ name, value }, at): TitlePart[] => [
        ...(at > 0 ? [', '] : []),
        ...(container === null ? [] : [{ name }, ' = ']),
        { name: value },
      ])
      const of = placed('table', subject.table, container)
      return ['Row ', ...cells, ...of, writtenIn(subject)]
    }
    case 'document': {
      const of = placed('collection', subject.collection, container)
      return ['Document ', { name: subject.id }, ...of, writtenIn(subject)]
    }
    case 'tx':
      return [`Transaction ${formatTx(subject.tx)}`]
    case 'state':
      return [`State at tx ${formatTx(subject.tx)}`]
    case 'audit':
      return [`Audit up to tx ${formatTx(subject.tx)}`]
    case 'fork':
      return subject.after === '0'
        ? ['Two histories without a common transaction']
        : [`Fork after tx ${formatTx(subject.after)}`]
  }
}

const nouns: Readonly<Record<string, string>> = {
  get: 'a key',
  row: 'a row',
  document: 'a document',
  tx: 'a transaction',
  write: 'a write',
  state: 'a state',
  audit: 'an audit',
  fork: 'a fork',
}

const writtenIn = ({ deleted, tx }: { deleted: boolean; tx: string }) =>
  `, ${deleted ? 'deleted' : 'written'} in tx ${formatTx(tx)}`

function placed(noun: string, number: number, name: string | null): TitlePart[] {
  return name === null
    ? [` of ${noun} number ${number}`]
    : [` of ${noun} `, { name }, ` (number ${number})`]
}
