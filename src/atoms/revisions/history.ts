import type { Io } from '~/core/act'
import type { OlderRevision } from '~/core/revisions/last-changes'
import type { RevisionLine } from '~/core/revisions/revisions'
import type { RowName } from '~/core/revisions/row-questions'
import type { Unreadable } from '~/core/unreadable'
import type { DocumentFields } from '~/immudb/document-json'
import type { FactsOf } from '~/proof/kernel/verify'
import type { Leaf } from '~/proof/shown'
import { saidLeaf } from '~/trust/questions'
import type { ObjectKind, Question } from '~/trust/verification'
import type { Subject } from './open-revisions'

/** A cell of a row, a field of a document, or a property of a key; null is NULL or missing. */
export type Part = {
  readonly name: string
  /**
   * A type of SQL or of JSON; `KEY` is base64 of any bytes, `SECONDS` a time since 1970, `TX` the
   * number of a transaction.
   */
  readonly type: string
  readonly value: string | null
  /** The number of a column that was dropped since; its value is the stored cell. */
  readonly dropped?: number
}

/** A cell of a column that was dropped since, as it is stored. */
export type DroppedCell = { readonly id: number; readonly cell: Uint8Array }

export type RevisionContent = {
  readonly parts: readonly Part[]
  /** As what a key or a document is drawn; absent where it could not be read. */
  readonly state?: 'live' | 'deleted' | 'expired' | 'dangling'
  /** The document as the server has it; only a revision of a document that is not deleted. */
  readonly document?: DocumentFields
  /** Cells of columns that the table no longer has, which no query shows. */
  readonly dropped: readonly DroppedCell[]
  /** Why there is nothing to show, or what to know about it. */
  readonly note: string | null
}

/** The revisions of one thing as of the moment when it was opened, from 1 to `count`. */
export type History = {
  /** No two are the same. */
  readonly id: number
  readonly subject: Subject
  /** Such as `row id = 1 of t`. */
  readonly what: string
  /** 0 when there is no such thing. */
  readonly count: number
  /** Why there is none. */
  readonly missing: string
  /** What to know about the list. */
  readonly notice?: string
  /** The row by its key as statements name it; only rows have one. */
  readonly row?: RowName
  /** Whether finding these lines takes long enough that it is only done when asked for. */
  isFar(from: number, to: number): boolean
  /** Whether the content of a revision that is far takes the server long, too. */
  isSlow(number: number): boolean
  /**
   * The lines from one revision down to another; `onRound` is called before each request of the
   * search, with how many are probably left.
   */
  lines(from: number, to: number, during: During): Promise<readonly RevisionLine[]>
  content(number: number, during: During): Promise<RevisionContent>
  /** The parts of a revision that a later one can change: not the primary key of a row. */
  changing(content: RevisionContent): readonly Part[]
  /**
   * What revisions from one down to another, both older, have otherwise than one that was read. Some
   * of them, the newest at least: as many as one answer should hold.
   */
  older(from: number, to: number, than: Read, during: During): Promise<readonly OlderRevision[]>
  /**
   * The questions for a revision as it is drawn, or why none can be asked. Nothing that is read for
   * them stands for what is drawn.
   */
  questions(io: Io, drawn: Drawn): Promise<readonly Question[] | { why: string }>
  /** The content of a revision as it is proven, from the facts of each of its questions. */
  provenContent(facts: readonly FactsOf[ObjectKind][], drawn: Drawn): RevisionContent
}

/** A revision with its content. */
export type Read = { readonly line: RevisionLine; readonly content: RevisionContent }

/** A revision as the drawer draws it, with the one beside it, 0 for none. */
export type Drawn = {
  readonly number: number
  readonly against: number
  readonly content: RevisionContent | null
  readonly line: RevisionLine | null
}

/** What is drawn of every revision and covered by no proof. */
export function saidOfRevision({ number, against }: Drawn): Leaf[] {
  const beside = saidLeaf('what it was before', '', `revision ${against} beside it`)
  return [saidLeaf('the revision number', String(number)), ...(against < 1 ? [] : [beside])]
}

/** Why a document is not in an answer, in words. */
export const unreadableDocument: Readonly<Record<Unreadable, string>> = {
  'too-large': 'This document is larger than 4 MiB, which cannot be read over HTTP.',
  gone: 'The server no longer has this document. A truncation may have removed it. Its transaction and digest are still there.',
}

/** Characters of older contents in one answer, far below 4 MiB, and how many there are at most. */
const [mostOlder, mostOlderAtOnce] = [1_000_000, 250]

/** How many older revisions one answer should hold, if they are about as large as this one. */
export function olderAtOnce({ parts }: RevisionContent): number {
  const size = parts.reduce((sum, { name, value }) => sum + name.length + (value?.length ?? 0), 100)
  return Math.max(1, Math.min(mostOlderAtOnce, Math.floor(mostOlder / size)))
}

export type During = { signal?: AbortSignal; onRound?: (left: number) => void }

let last = 0

/** A number for a history that is opened. */
export function nextHistory(): number {
  last += 1
  return last
}
