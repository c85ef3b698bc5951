import { atom } from 'jotai'
import * as v from 'valibot'
import type { Io } from '~/core/act'
import { databaseAtom } from '~/core/session/session'
import { draftOwnerAtom, draftPlace, keepForTab, keptForTab } from '~/core/storage/drafts'
import { readStoredDraft } from '~/core/storage/kept-drafts'
import { storageAtom } from '~/core/storage/stored'
import { draftDelay, largeTextLength } from '~/lib/constants'

/** By database, the one that was typed last at the end. */
const drafts = v.object({ drafts: v.array(v.tuple([v.string(), v.string()])) })
/** Before there was one for each database. */
const older = v.object({ text: v.string() })

/** Databases whose drafts are kept. */
const mostDatabases = 50

/** A text, and what it was as this tab last read it from storage or wrote it there. */
type Draft = { readonly text: string; readonly kept: string | null }

/** By database; those that were not looked up yet are not in it. */
const draftsAtom = atom<ReadonlyMap<string, Draft>>(new Map())
const hasFailedAtom = atom(false)
const timerAtom = atom<ReturnType<typeof setTimeout> | null>(null)

const hereAtom = atom((get) => get(databaseAtom) ?? '')
const unkeptAtom = atom((get) => [...get(draftsAtom)].filter(([, { text, kept }]) => text !== kept))

/** Whether the newest text of a database could not be stored and would be lost with the page. */
export const isDraftAtRiskAtom = atom(
  (get) => get(hasFailedAtom) && get(unkeptAtom).some(([, { text }]) => text !== ''),
)

/** The text that was written for the open database; null until the stored draft was looked up. */
export const editorTextAtom = atom((get) => get(draftsAtom).get(get(hereAtom))?.text ?? null)

function setDraft({ get, set }: Io, database: string, draft: Draft) {
  return set(draftsAtom, new Map(get(draftsAtom)).set(database, draft))
}

/**
 * Loads the user's draft for the open database of this server, once. SQL that was written for one
 * database must not stand ready to run in another. The one draft of an older console, which did not
 * know for which database it was, goes to the first database that is opened.
 */
export async function loadDraft(io: Io) {
  const { get } = io
  const owner = get(draftOwnerAtom)
  const database = get(hereAtom)
  if (get(draftsAtom).has(database) || owner === null) return
  const found = await readStoredDraft(get(storageAtom), 'sql', owner)
  if (get(draftsAtom).has(database)) return
  const ofTab = keptForTab('sql', owner)
  const ofAll = textsOf(found).get(database)
  const text = textsOf(ofTab).get(database) ?? olderText(ofTab) ?? ofAll ?? olderText(found) ?? ''
  setDraft(io, database, { text, kept: ofAll ?? (olderText(found) === null ? '' : null) })
  if (olderText(ofTab) !== null) keepDraftForTab(io)
  if (olderText(found) !== null) await keepDraft(io)
}

function textsOf(value: unknown): ReadonlyMap<string, string> {
  return new Map(v.is(drafts, value) ? value.drafts : [])
}

function olderText(value: unknown): string | null {
  return v.is(older, value) ? value.text : null
}

/** What is kept with some texts in the place of what it had for their databases. */
function withTexts(value: unknown, texts: readonly (readonly [string, string])[]) {
  const all = new Map(textsOf(value))
  for (const [database, text] of texts) {
    all.delete(database)
    if (text !== '') all.set(database, withoutPasswords(text))
  }
  return { drafts: [...all].slice(-mostDatabases) }
}

/**
 * Each tab has its own texts. Storage has the last text of any tab, and each tab also keeps its own.
 * Writing a long text blocks the page, so the tab keeps it only when the page closes.
 */
export function keepDraftForTab({ get }: Io, isLeaving = true) {
  const owner = get(draftOwnerAtom)
  const typed = [...get(draftsAtom)].map(([database, { text }]) => [database, text] as const)
  if (typed.length === 0 || !owner) return
  const isLater = (text: string) => !isLeaving && text.length > largeTextLength
  const texts = typed.map(([of, text]) => [of, isLater(text) ? '' : text] as const)
  keepForTab('sql', owner, withTexts(keptForTab('sql', owner), texts))
}

/**
 * Writes the drafts to storage now, for instance before the page goes away. It does not store a text
 * that this tab did not change, because another tab may have stored a newer one. Passwords are
 * never stored; the text counts as kept without them.
 */
export async function keepDraft(io: Io): Promise<boolean> {
  const { get, set } = io
  const timer = get(timerAtom)
  if (timer !== null) clearTimeout(timer)
  set(timerAtom, null)
  const owner = get(draftOwnerAtom)
  const unkept = get(unkeptAtom)
  if (owner === null || unkept.length === 0) return true
  const texts = unkept.map(([database, { text }]) => [database, text] as const)
  const isKept = await get(storageAtom).change(draftPlace('sql', owner), (value) =>
    withTexts(value, texts),
  )
  set(hasFailedAtom, !isKept)
  if (!isKept) return false
  for (const [database, kept] of texts) {
    const text = get(draftsAtom).get(database)?.text ?? kept
    setDraft(io, database, { text, kept })
  }
  return true
}

/**
 * Takes the typed text. This tab keeps it at once, so that whoever logs out is asked about it; the
 * storage of all tabs follows half a second after the last keystroke.
 */
export function setEditorText(io: Io, text: string) {
  const { get, set } = io
  const database = get(hereAtom)
  setDraft(io, database, { text, kept: get(draftsAtom).get(database)?.kept ?? null })
  keepDraftForTab(io, false)
  const timer = get(timerAtom)
  if (timer !== null) clearTimeout(timer)
  set(
    timerAtom,
    setTimeout(() => keepDraft(io), draftDelay),
  )
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
