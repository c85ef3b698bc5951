import type { JudgedPart } from '~/sql/script-judge'
import type { ScriptPart, ScriptPartKind } from '~/sql/script-reader'
import { type Judgement, judgements } from '~/sql/script-tables'

const kinds: readonly ScriptPartKind[] = ['statement', 'command', 'copy', 'row']
/** Statements that equal ones are named for; all others are “Other”. */
const mostLabels = 60_000

/** Numbers that grow in number, a few bytes each. */
class Numbers {
  #values = new Uint32Array(1_024)
  length = 0

  push(value: number): void {
    if (this.length === this.#values.length) {
      const more = new Uint32Array(this.#values.length * 2)
      more.set(this.#values)
      this.#values = more
    }
    this.#values[this.length] = value
    this.length += 1
  }

  at(place: number): number {
    return this.#values[place] ?? 0
  }
}

/** Equal statements with the same judgement. */
export type StatementGroup = {
  readonly label: string
  readonly judgement: Judgement
  readonly statements: number
  /** Rows and statements of them that are sent. */
  readonly items: number
}

/** What is shown of a statement in a list. */
export type ListedStatement = {
  readonly number: number
  readonly line: number
  readonly label: string
  readonly judgement: Judgement
  readonly hasDanger: boolean
  readonly hasNotes: boolean
  readonly hasBadRows: boolean
}

const danger = 4
const noted = 8
const badRows = 16

/**
 * All statements of a script, a few bytes for each: their text stays in the file, from where it is
 * read when one is shown.
 */
export class ScriptIndex {
  readonly #from = new Numbers()
  readonly #length = new Numbers()
  readonly #line = new Numbers()
  /** Judgement in two bits, marks, and the kind behind them. */
  readonly #marks = new Numbers()
  readonly #label = new Numbers()
  /** Rows and statements that are sent before. */
  readonly #before = new Numbers()
  readonly #labels: string[] = []
  readonly #numbers = new Map<string, number>()
  readonly #groups = new Map<string, { group: StatementGroup; first: number }>()
  readonly #dangers: { number: number; text: string }[] = []
  /** Where what is never closed begins, by the statement it is in. */
  readonly #open = new Map<number, number>()
  /** Rows and statements that are sent. */
  items = 0
  /** Rows that cannot be sent. */
  badRows = 0

  get count(): number {
    return this.#from.length
  }

  add(part: ScriptPart, judged: JudgedPart): void {
    const { judgement, label, notes } = judged
    const number = this.count
    const isSent = judgement === 'runs' || judgement === 'rewritten'
    const items = judged.rows.length > 0 ? judged.rows.length : isSent ? judged.sent.length : 0
    const marks =
      judgements.indexOf(judgement) |
      (judged.danger === undefined ? 0 : danger) |
      (notes.length > 0 ? noted : 0) |
      (judged.badRows > 0 ? badRows : 0) |
      (kinds.indexOf(part.kind) << 8)
    this.#from.push(part.from)
    this.#length.push(part.text.length)
    this.#line.push(part.line)
    this.#marks.push(marks)
    this.#label.push(this.#numberOf(label))
    this.#before.push(this.items)
    if (part.openLine !== null) this.#open.set(number, part.openLine)
    if (judged.danger !== undefined) this.#dangers.push({ number, text: judged.danger })
    this.items += items
    this.badRows += judged.badRows
    const id = `${judgement} ${label}`
    const { group, first } = this.#groups.get(id) ?? {
      group: { label, judgement, statements: 0, items: 0 },
      first: number,
    }
    const grown = { ...group, statements: group.statements + 1, items: group.items + items }
    this.#groups.set(id, { group: grown, first })
  }

  #numberOf(label: string): number {
    const known = this.#numbers.get(label)
    if (known !== undefined) return known
    const name = this.#labels.length < mostLabels ? label : 'Other'
    const number = this.#labels.push(name) - 1
    this.#numbers.set(label, number)
    return number
  }

  /** What a script destroys, in its order. */
  get dangers(): readonly { number: number; text: string }[] {
    return this.#dangers
  }

  /** Equal statements together, in the order in which the first of each stands in the script. */
  groups(): readonly StatementGroup[] {
    return [...this.#groups.values()].map(({ group }) => group)
  }

  listed(number: number): ListedStatement {
    const marks = this.#marks.at(number)
    return {
      number,
      line: this.#line.at(number),
      label: this.#labels[this.#label.at(number)] ?? '',
      judgement: judgements[marks & 3] ?? 'cannot run',
      hasDanger: (marks & danger) !== 0,
      hasNotes: (marks & noted) !== 0,
      hasBadRows: (marks & badRows) !== 0,
    }
  }

  /** The numbers of what is sent of a statement, from 1; none where `to` is before `from`. */
  itemsOf(number: number): { readonly from: number; readonly to: number } {
    const to = number + 1 < this.count ? this.#before.at(number + 1) : this.items
    return { from: this.#before.at(number) + 1, to }
  }

  /** Numbers of the statements that are shown, in their order. */
  numbersOf(
    shows: (judgement: Judgement, label: string, hasBadRows: boolean, number: number) => boolean,
  ): Uint32Array {
    const found = new Uint32Array(this.count)
    let count = 0
    for (let number = 0; number < this.count; number += 1) {
      const marks = this.#marks.at(number)
      const judgement = judgements[marks & 3] ?? 'cannot run'
      const label = this.#labels[this.#label.at(number)] ?? ''
      if (!shows(judgement, label, (marks & badRows) !== 0, number)) continue
      found[count] = number
      count += 1
    }
    return found.slice(0, count)
  }

  /** Where a statement stands, as a part without its text. */
  placeAt(number: number) {
    return {
      kind: kinds[this.#marks.at(number) >> 8] ?? 'statement',
      from: this.#from.at(number),
      length: this.#length.at(number),
      line: this.#line.at(number),
      openLine: this.#open.get(number) ?? null,
    }
  }

  /** The COPY that a row belongs to; null for what is no row. */
  headOf(number: number): number | null {
    if (this.placeAt(number).kind !== 'row') return null
    let at = number
    while (at >= 0 && this.placeAt(at).kind === 'row') at -= 1
    return at < 0 ? null : at
  }
}
