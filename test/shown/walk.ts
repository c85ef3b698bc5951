import type { Locator, Page } from 'playwright-core'
import type { Api } from '../support/api'
import type { LeafKind, Spellings } from './leaves'

/** Numbers and ids that only the prepared server knows. */
export type Facts = Readonly<Record<string, string>>

export type Here = {
  readonly page: Page
  /** The address of the console, without a slash at the end. */
  readonly base: string
  readonly facts: Facts
  /** The text of a file of evidence, for a walk that gives one. */
  readonly file: string
}

/** An answer that is told in place of another, where altering what an honest server says is not enough. */
export type Instead = {
  readonly name: string
  readonly path: RegExp
  readonly sent: RegExp
  answer(facts: Facts): string
}

/** How to get to a screen with a mark, and what belongs to the mark. */
export type Walk = {
  /** `screen/object`, for messages and for `--only`. */
  readonly name: string
  /** The address below the console's. */
  path(facts: Facts): string
  /** From the address to the object; waits until it is drawn. */
  arrive?(here: Here): Promise<unknown>
  /** What is drawn of the object that is marked. */
  region(page: Page): Locator
  /** Has it verified; a walk without this verifies by itself. */
  press?(here: Here): Promise<unknown>
  /** Where it is said what came of it, once it is; absent for the drawer with the proof. */
  mark?(page: Page): Locator
  /** Texts that read like a value and are not its bytes. */
  readonly spellings?: Spellings
  /** What the opponent says instead; with these, an honest server may be unable to show the object. */
  readonly instead?: readonly Instead[]
  /** Texts that must be drawn wherever an honest server's object is wholly verified. */
  readonly stored?: readonly string[]
  /** Of a write: brings the server to where it begins, before each of its turns. */
  before?(db: Api, facts: Facts): Promise<unknown>
  /** Of a write: the calls by which it is sent, as the end of their paths. */
  readonly sends?: RegExp
  /** Of a write: nothing of it is compared, so that it has words without a mark. */
  readonly isUncompared?: boolean
  /** Answers that are drawn and that no proof covers, and how the mark names what comes of them. */
  said?(facts: Facts): readonly { readonly answers: RegExp; readonly words: RegExp }[]
  /** Whether the words that it checks are those of a file of evidence. */
  readonly hasFile?: boolean
  /** A case that is known on an unmended commit, for the report. */
  readonly known?: string
  /** The database where it takes place. */
  readonly database?: string
  /** Takes too long for the short form among the tests of the browser. */
  readonly isLong?: boolean
  /** Kinds of leaves that a sample of it must have, beside those that it happens to have. */
  readonly kinds?: readonly LeafKind[]
}
