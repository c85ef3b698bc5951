import { atom, type Getter } from 'jotai'
import * as v from 'valibot'
import { sessionAtom } from '~/core/session/session'
import { changeSettingsAtom, settingsAtom } from '~/core/settings'
import { storageAtom } from '~/core/storage/stored'
import { historyCharacters, historyLimit } from '~/lib/constants'
import { historyStorageKey } from '~/lib/storage-keys'
import { outputAtom, type RunStatus } from './output'

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
export const readHistoryAtom = atom(null, async (get, set) => {
  const value = await get(storageAtom).read(historyStorageKey)
  set(historyAtom, ownHistory(get, value))
})

/** Changes what is stored, from what is stored now; nothing is written after logout. */
const changeHistoryAtom = atom(null, async (get, set, change: (history: History) => History) => {
  await get(storageAtom).change(historyStorageKey, (value) => {
    const history = ownHistory(get, value)
    return history === null ? value : change(history)
  })
  await set(readHistoryAtom)
})

export type RunCode = { text: string; database: string; status: RunStatus; at: number }

/** Puts statements that were run on top; the same one run again is only counted. */
export const rememberAtom = atom(null, async (get, set, codes: readonly RunCode[]) => {
  const kept = codes.filter(({ text }) => !holdsPassword(text))
  if (kept.length === 0 || !get(isHistoryOnAtom)) return
  await set(changeHistoryAtom, (history) => ({
    ...history,
    entries: cutToLimits(kept.reduce(withCode, history.entries)),
  }))
})

/** The same for all that was run behind an entry of the output. */
export const rememberRunAtom = atom(null, async (get, set, before: number) => {
  const codes = get(outputAtom).flatMap((item) => {
    const isRun = item.kind === 'entry' && item.number > before && item.status !== 'not-run'
    if (!isRun) return []
    const { source: text, database, status, timestamp: at } = item
    return [{ text, database, status, at }]
  })
  await set(rememberAtom, codes)
})

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
export const forgetCodeAtom = atom(null, (_get, set, which: HistoryEntry | 'all') =>
  set(changeHistoryAtom, (history) => ({
    ...history,
    entries: which === 'all' ? [] : history.entries.filter((one) => !isSame(one, which)),
  })),
)

function isSame(one: HistoryEntry, other: HistoryEntry): boolean {
  return one.text === other.text && one.at === other.at && one.database === other.database
}

/** Whether statements are remembered. */
export const isHistoryOnAtom = atom((get) => get(settingsAtom).history)

/** Switches remembering on or off; switched off, what was remembered goes too. */
export const setHistoryOnAtom = atom(null, async (_get, set, isOn: boolean) => {
  await set(changeSettingsAtom, { history: isOn })
  if (!isOn) await set(forgetCodeAtom, 'all')
})

/** Statements in which every word of the search is found, in any case. */
export function foundIn(entries: readonly HistoryEntry[], search: string): readonly HistoryEntry[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return entries
  return entries.filter(({ text, database }) => {
    const whole = `${text} ${database}`.toLowerCase()
    return words.every((word) => whole.includes(word))
  })
}
