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

/** Takes up the draft that the signed-in user left on this server, once. */
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
 * Each tab has its own text: storage holds the last of any, the tab's own comes back with it. A long
 * text, which holds the page up while it is written, is kept for the tab only when the page goes.
 */
export const keepDraftForTabAtom = atom(null, (get, _set, isLeaving = true) => {
  const text = get(textAtom)
  const owner = get(draftOwnerAtom)
  if (text === null || !owner) return
  const isLater = !isLeaving && text.length > largeTextLength
  keepForTab('sql', owner, isLater ? null : { text: withoutPasswords(text) })
})

/**
 * Writes the draft to storage now, for instance before the page goes away. A text that this tab
 * did not change is left alone: another tab may have stored a newer one. A password in it is never
 * stored; the text counts as kept without.
 */
export const keepDraftAtom = atom(null, async (get, set): Promise<boolean> => {
  const timer = get(timerAtom)
  if (timer !== null) clearTimeout(timer)
  set(timerAtom, null)
  const text = get(textAtom)
  const owner = get(draftOwnerAtom)
  if (text === null || owner === null) return true
  set(keepDraftForTabAtom, false)
  if (text === get(keptAtom)) return true
  const stored = { text: withoutPasswords(text) }
  const isKept = await get(storageAtom).write(draftPlace('sql', owner), stored)
  set(hasFailedAtom, !isKept)
  if (!isKept) return false
  set(keptAtom, text)
  return true
})

/** Takes over what was typed; storage follows half a second after the last key. */
export const setEditorTextAtom = atom(null, (get, set, text: string) => {
  set(textAtom, text)
  const timer = get(timerAtom)
  if (timer !== null) clearTimeout(timer)
  set(
    timerAtom,
    setTimeout(() => set(keepDraftAtom), draftDelay),
  )
})

/** Spaces and comments, between which no backtracking can choose. */
const gap = /(?:\s|--[^\n\r]*[\n\r]|\/\*(?:[^*]|\*(?!\/))*\*\/)*/.source

/**
 * A literal as it was typed so far: closed on its line, closed on a later one of the same statement,
 * or still open, which takes what is left of the line and spares the statements below.
 */
function literal(quote: string): string {
  return `${quote}(?:(?:[^${quote}\n\r]|${quote}${quote})*${quote}(?!${quote})|(?:[^${quote};]|${quote}${quote})*${quote}(?!${quote})|[^\n\r]*)`
}

const password = new RegExp(`\\b(PASSWORD${gap})(?:${literal("'")}|${literal('"')})`, 'gi')

/**
 * SQL text with the passwords of CREATE USER and ALTER USER blanked, to be stored. Double quotes
 * count as well, since the console sends such a text in single ones.
 */
export function withoutPasswords(text: string): string {
  return text.replace(password, "$1''")
}
