import { atom } from 'jotai'
import * as v from 'valibot'
import { draftDelay, largeTextLength } from '~/lib/constants'
import { draftOwnerAtom, draftPlace, keepForTab, keptForTab } from '../storage/drafts'
import { readStoredDraft } from '../storage/kept-drafts'
import { storageAtom } from '../storage/stored'

const draft = v.object({ text: v.string() })

/** The text in the editor; null until the stored draft has been looked up. */
const textAtom = atom<string | null>(null)
/** The text as it was last read from or written to storage by this tab. */
const keptAtom = atom<string | null>(null)
const hasFailedAtom = atom(false)
const timerAtom = atom<ReturnType<typeof setTimeout> | null>(null)

/** Whether the newest text could not be stored and would be lost with the page. */
export const isDraftAtRiskAtom = atom(
  (get) => get(hasFailedAtom) && get(textAtom) !== get(keptAtom),
)

export const editorTextAtom = atom((get) => get(textAtom))

/** Loads the user's draft for this server, once. */
export const loadDraftAtom = atom(null, async (get, set) => {
  const owner = get(draftOwnerAtom)
  if (get(textAtom) !== null || owner === null) return
  const stored = textOf(await readStoredDraft(get(storageAtom), 'sql', owner))
  if (get(textAtom) !== null) return
  set(keptAtom, stored ?? '')
  set(textAtom, textOf(keptForTab('sql', owner)) ?? stored ?? '')
})

function textOf(value: unknown): string | null {
  return v.is(draft, value) ? value.text : null
}

/**
 * Each tab has its own text. Storage has the last text of any tab, and each tab also keeps its own.
 * Writing a long text blocks the page, so the tab keeps it only when the page closes.
 */
export const keepDraftForTabAtom = atom(null, (get, _set, isLeaving = true) => {
  const text = get(textAtom)
  const owner = get(draftOwnerAtom)
  if (text === null || !owner) return
  const isLater = !isLeaving && text.length > largeTextLength
  keepForTab('sql', owner, isLater ? null : { text: withoutPasswords(text) })
})

/**
 * Writes the draft to storage now, for instance before the page goes away. It does not store a text
 * that this tab did not change, because another tab may have stored a newer one. Passwords are
 * never stored; the text counts as kept without them.
 */
export const keepDraftAtom = atom(null, async (get, set): Promise<boolean> => {
  const timer = get(timerAtom)
  if (timer !== null) clearTimeout(timer)
  set(timerAtom, null)
  const text = get(textAtom)
  const owner = get(draftOwnerAtom)
  if (text === null || owner === null) return true
  if (text === get(keptAtom)) return true
  const stored = { text: withoutPasswords(text) }
  const isKept = await get(storageAtom).write(draftPlace('sql', owner), stored)
  set(hasFailedAtom, !isKept)
  if (!isKept) return false
  set(keptAtom, text)
  return true
})

/**
 * Takes the typed text. This tab keeps it at once, so that whoever logs out is asked about it; the
 * storage of all tabs follows half a second after the last keystroke.
 */
export const setEditorTextAtom = atom(null, (get, set, text: string) => {
  set(textAtom, text)
  set(keepDraftForTabAtom, false)
  const timer = get(timerAtom)
  if (timer !== null) clearTimeout(timer)
  set(
    timerAtom,
    setTimeout(() => set(keepDraftAtom), draftDelay),
  )
})

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
