import { atom, type Getter } from 'jotai'
import * as v from 'valibot'
import type { Io } from '~/core/act'
import { sessionAtom } from '~/core/session/session'
import { changeSettings, settingsAtom } from '~/core/settings'
import { storageAtom } from '~/core/storage/stored'
import { historyCharacters, historyLimit } from '~/lib/constants'
import { historyStorageKey } from '~/lib/storage-keys'
import type { EditorName } from './editor'
import { outputOfAtom } from './output'
import type { RunStatus } from './output-entry'

const entry = v.object({
  text: v.string(),
  database: v.string(),
  /** Milliseconds since 1970 when it was run last. */
  at: v.number(),
  /** How often it was run in a row. */
  times: v.fallback(v.number(), 1),
  status: v.fallback(
    v.picklist(['done', 'failed', 'unknown', 'cancelled', 'running', 'not-run']),
    'done',
  ),
})
export type HistoryEntry = v.InferOutput<typeof entry>

const stored = v.object({
  user: v.string(),
  entries: v.fallback(v.array(entry), []),
})
type History = v.InferOutput<typeof stored>

/** The code history of the signed-in user, newest first; null until it was read. */
export const historyAtom = atom<History | null>(null)

const empty = (user: string): History => ({ user, entries: [] })

/** The user's own history; another user's or an unreadable one counts as none. */
function ownHistory(get: Getter, value: unknown): History | null {
  const user = get(sessionAtom)?.user
  if (user === undefined) return null
  return v.is(stored, value) && value.user === user ? v.parse(stored, value) : empty(user)
}

/** Reads the history again; another tab may have added to it. */
export async function readStatementHistory({ get, set }: Io) {
  const value = await get(storageAtom).read(historyStorageKey)
  set(historyAtom, ownHistory(get, value))
}

/** Changes what is stored, from what is stored now; nothing is written after logout. */
async function changeHistory(io: Io, change: (history: History) => History) {
  await io.get(storageAtom).change(historyStorageKey, (value) => {
    const history = ownHistory(io.get, value)
    return history === null ? value : change(history)
  })
  await readStatementHistory(io)
}

export type RunCode = { text: string; database: string; status: RunStatus; at: number }

/** Puts statements that were run on top; the same one run again is only counted. */
export async function rememberStatements(io: Io, codes: readonly RunCode[]) {
  const kept = codes.filter(({ text }) => !holdsPassword(text))
  if (kept.length === 0 || !io.get(isHistoryOnAtom)) return
  await changeHistory(io, (history) => ({
    ...history,
    entries: cutToLimits(kept.reduce(withCode, history.entries)),
  }))
}

/** The same for all that was run behind an entry of an editor's output. */
export async function rememberRun(io: Io, editor: EditorName, before: number) {
  const codes = io
    .get(outputOfAtom)(editor)
    .flatMap((item) => {
      const isRun = item.kind === 'entry' && item.number > before && item.status !== 'not-run'
      if (!isRun) return []
      const { source: text, database, status, timestamp: at } = item
      return [{ text, database, status, at }]
    })
  await rememberStatements(io, codes)
}

/** CREATE USER and ALTER USER spell a password out, which is never stored. */
function holdsPassword(text: string): boolean {
  return /\bPASSWORD\b/i.test(text)
}

function withCode(entries: HistoryEntry[], code: RunCode): HistoryEntry[] {
  const [last] = entries
  const isAgain = last?.text === code.text && last.database === code.database
  return isAgain
    ? [{ ...code, times: last.times + 1 }, ...entries.slice(1)]
    : [{ ...code, times: 1 }, ...entries]
}

/** The newest entries within the limits, without any that alone exceeds them. */
function cutToLimits(entries: readonly HistoryEntry[]): HistoryEntry[] {
  const kept: HistoryEntry[] = []
  let characters = 0
  for (const one of entries.slice(0, historyLimit)) {
    if (characters + one.text.length > historyCharacters) continue
    characters += one.text.length
    kept.push(one)
  }
  return kept
}

/** Removes one statement, or all of them. */
export function forgetCode(io: Io, which: HistoryEntry | 'all') {
  return changeHistory(io, (history) => ({
    ...history,
    entries: which === 'all' ? [] : history.entries.filter((one) => !isSame(one, which)),
  }))
}

function isSame(one: HistoryEntry, other: HistoryEntry): boolean {
  return one.text === other.text && one.at === other.at && one.database === other.database
}

/** Whether statements are remembered. */
export const isHistoryOnAtom = atom((get) => get(settingsAtom).history)

/** Switches remembering on or off; switched off, what was remembered goes too. */
export async function setHistoryOn(io: Io, isOn: boolean) {
  await changeSettings(io, { history: isOn })
  if (!isOn) await forgetCode(io, 'all')
}

/** Statements in which every word of the search is found, in any case. */
export function foundIn(entries: readonly HistoryEntry[], search: string): readonly HistoryEntry[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return entries
  return entries.filter(({ text, database }) => {
    const whole = `${text} ${database}`.toLowerCase()
    return words.every((word) => whole.includes(word))
  })
}
