import { PlainError } from '~/lib/plain-error'
import type { RevisionLine } from './revisions'

/** A revision beside a newer one whose parts are asked about. */
export type OlderRevision = {
  readonly line: RevisionLine
  /**
   * Names of parts that it has with another value, or lacks; null where its content cannot be read,
   * or it is not known whether it deleted everything.
   */
  readonly differing: ReadonlyMap<string, 'other' | 'missing'> | null
}

/** The last change of one part, such as a column, as far as the revisions tell. */
export type LastChange = {
  /** The revision that made it; where `how` is `unread`, the oldest that is known to have the value. */
  readonly line: RevisionLine
  /** The revision before it; null where there is none. */
  readonly before: RevisionLine | null
  /**
   * `changed`: the revision before had another value. `added`: it lacked the part. `inserted again`:
   * it was a deletion. `inserted`: there is none before. `unread`: it cannot be read.
   */
  readonly how: 'changed' | 'added' | 'inserted' | 'inserted again' | 'unread'
}

/**
 * Finds the last change of each part of a revision. The revisions before it are taken one by one,
 * newest first: a value may come back, so no shorter way is right.
 */
export class LastChanges {
  readonly #found = new Map<string, LastChange>()
  #open: Set<string>
  #last: RevisionLine

  /** @param newest the revision whose parts are asked about */
  constructor(names: Iterable<string>, newest: RevisionLine) {
    this.#open = new Set(names)
    this.#last = newest
    if (newest.number === 1) this.#settle('inserted', null)
  }

  /** By the names of the parts. */
  get found(): ReadonlyMap<string, LastChange> {
    return new Map(this.#found)
  }

  /** Parts that have had their value in all revisions so far. */
  get open(): ReadonlySet<string> {
    return this.#open
  }

  /** The oldest revision so far. */
  get last(): RevisionLine {
    return this.#last
  }

  /**
   * Takes the revision before the last one.
   * @throws PlainError where it is not the one before, or was not written before
   */
  take({ line, differing }: OlderRevision): void {
    if (!isBefore(line, this.#last)) throw new PlainError(outOfOrder)
    if (line.kind === 'deleted') this.#settle('inserted again', line)
    else if (differing === null) this.#settle('unread', line)
    else {
      for (const [name, how] of differing) {
        this.#settle(how === 'other' ? 'changed' : 'added', line, [name])
      }
    }
    this.#last = line
    if (line.number === 1) this.#settle('inserted', null)
  }

  #settle(
    how: LastChange['how'],
    before: RevisionLine | null,
    names: Iterable<string> = this.#open,
  ) {
    for (const name of [...names]) {
      if (this.#open.delete(name)) this.#found.set(name, { line: this.#last, before, how })
    }
  }
}

function isBefore(older: RevisionLine, newer: RevisionLine): boolean {
  const isNext = older.number === newer.number - 1
  return isNext && (older.tx === null || newer.tx === null || BigInt(older.tx) < BigInt(newer.tx))
}

const outOfOrder =
  'The server tells these revisions in an order that no history has. Do not rely on what it says of them. A deep audit reads every transaction.'

/** What an older revision has otherwise than a newer one, by the names of their parts. */
export function differingParts(
  newer: readonly ComparedPart[],
  older: readonly ComparedPart[],
): ReadonlyMap<string, 'other' | 'missing'> {
  const before = new Map(older.map((part) => [part.name, part]))
  const found = new Map<string, 'other' | 'missing'>()
  for (const { name, type, value } of newer) {
    const other = before.get(name)
    if (!other) found.set(name, 'missing')
    // A field of a document may become of another type with the same text.
    else if (other.value !== value || other.type !== type) found.set(name, 'other')
  }
  return found
}

type ComparedPart = { readonly name: string; readonly type: string; readonly value: string | null }
