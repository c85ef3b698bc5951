import { atom } from 'jotai'
import * as v from 'valibot'
import type { Io } from '~/core/act'
import { draftsOf } from '~/core/drafts'
import { databaseAtom } from '~/core/session/session'

/**
 * The text of the editor, by database: SQL that was written for one must not stand ready to run in
 * another. A tab has its own; storage has the last text of any tab. Passwords are never stored.
 */
export const editorDrafts = draftsOf<string, [database: string, text: string]>({
  kind: 'sql',
  schema: v.tuple([v.string(), v.string()]),
  read: (kept) => kept,
  write: (text, database) => (text === '' ? null : [database, withoutPasswords(text)]),
  lengthOf: (text) => text.length,
  most: Number.POSITIVE_INFINITY,
})

/** The text that was written for the open database; null until the stored draft was looked up. */
export const editorTextAtom = atom((get) => {
  const isBack = get(editorDrafts.loadedAtom).has(get(databaseAtom) ?? '')
  return get(editorDrafts.hereAtom) ?? (isBack ? '' : null)
})

/** Loads the draft of the open database, once. */
export function loadDraft(io: Io) {
  return editorDrafts.load(io, io.get(databaseAtom) ?? '')
}

/** Takes the typed text. */
export function setEditorText(io: Io, text: string) {
  return editorDrafts.put(io, io.get(databaseAtom) ?? '', text)
}

/** Spaces and comments, in a pattern that cannot backtrack. */
const gap = /(?:\s|--[^\n\r]*[\n\r]|\/\*(?:[^*]|\*(?!\/))*\*\/)*/.source

/**
 * A literal as typed so far: closed on its line, closed on a later line of the statement, or still
 * open. An open one takes the rest of its line and leaves the statements below alone.
 */
function literal(quote: string): string {
  return `${quote}(?:(?:[^${quote}\n\r]|${quote}${quote})*${quote}(?!${quote})|(?:[^${quote};]|${quote}${quote})*${quote}(?!${quote})|[^\n\r]*)`
}

const password = new RegExp(`\\b(PASSWORD${gap})(?:${literal("'")}|${literal('"')})`, 'gi')

/**
 * SQL text for storage, with the passwords of CREATE USER and ALTER USER blanked. Double quotes
 * count too, because the console may send such a text in single quotes.
 */
export function withoutPasswords(text: string): string {
  return text.replace(password, "$1''")
}
