import { atom } from 'jotai'
import * as v from 'valibot'
import { draftDelay, draftStorageKey } from '~/lib/constants'
import { sessionAtom } from './session'
import { storageAtom } from './stored'

const draft = v.object({ user: v.string(), text: v.string() })

/** The text in the editor; null until the stored draft has been looked up. */
const textAtom = atom<string | null>(null)
const timerAtom = atom<ReturnType<typeof setTimeout> | null>(null)

export const editorTextAtom = atom((get) => get(textAtom))

/** Takes up the stored draft, once, when it belongs to the signed-in user. */
export const loadDraftAtom = atom(null, async (get, set) => {
  if (get(textAtom) !== null) return
  const found = v.safeParse(draft, await get(storageAtom).read(draftStorageKey))
  if (get(textAtom) !== null) return
  const isOwn = found.success && found.output.user === get(sessionAtom)?.user
  set(textAtom, isOwn ? found.output.text : '')
})

/** Writes the draft to storage now, for instance before the page goes away. */
export const keepDraftAtom = atom(null, (get, set): Promise<boolean> => {
  const timer = get(timerAtom)
  if (timer !== null) clearTimeout(timer)
  set(timerAtom, null)
  const text = get(textAtom)
  const user = get(sessionAtom)?.user
  if (text === null || user === undefined) return Promise.resolve(true)
  return get(storageAtom).write(draftStorageKey, { user, text })
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
