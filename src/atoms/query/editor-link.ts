import { atom } from 'jotai'
import { editorTextAtom, loadDraftAtom, setEditorTextAtom } from './editor'

/** A text from the address: a running number, and the editor's text before it. */
type Link = { readonly number: number; readonly before: string | null }

const linkAtom = atom<Link>({ number: 0, before: null })

/** The number changes whenever a link replaces the text in the editor. */
export const editorLinkAtom = atom((get) => get(linkAtom))

/** Fills the editor with the text of a link. Nothing is run. */
export const openLinkAtom = atom(null, async (get, set, text: string) => {
  await set(loadDraftAtom)
  const before = get(editorTextAtom) ?? ''
  if (before === text) return
  set(setEditorTextAtom, text)
  set(linkAtom, ({ number }) => ({ number: number + 1, before }))
})

/** Restores the editor's text from before the link. */
export const undoLinkAtom = atom(null, (get, set) => {
  const { number, before } = get(linkAtom)
  if (before === null) return
  set(setEditorTextAtom, before)
  set(linkAtom, { number: number + 1, before: null })
})

/** Keeps the text of the link as the user's own. */
export const keepLinkAtom = atom(null, (get, set) => {
  if (get(linkAtom).before !== null) set(linkAtom, { ...get(linkAtom), before: null })
})
