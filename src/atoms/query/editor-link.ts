import { atom } from 'jotai'
import { databaseAtom } from '~/core/session/session'
import { editorTextAtom, loadDraftAtom, setEditorTextAtom } from './editor'

/** A text from the address: a running number, the editor's text before it, and its database. */
type Link = {
  readonly number: number
  readonly before: string | null
  readonly database: string | null
}

const linkAtom = atom<Link>({ number: 0, before: null, database: null })

/** The number changes whenever a link replaces the text in the editor. */
export const editorLinkAtom = atom((get): Pick<Link, 'number' | 'before'> => {
  const { number, before, database } = get(linkAtom)
  return { number, before: database === get(databaseAtom) ? before : null }
})

/** Fills the editor with the text of a link. Nothing is run. */
export const openLinkAtom = atom(null, async (get, set, text: string) => {
  await set(loadDraftAtom)
  const before = get(editorTextAtom) ?? ''
  if (before === text) return
  set(setEditorTextAtom, text)
  set(linkAtom, ({ number }) => ({ number: number + 1, before, database: get(databaseAtom) }))
})

/** Restores the editor's text from before the link. */
export const undoLinkAtom = atom(null, (get, set) => {
  const { number, before } = get(editorLinkAtom)
  if (before === null) return
  set(setEditorTextAtom, before)
  set(linkAtom, { number: number + 1, before: null, database: null })
})

/** Keeps the text of the link as the user's own. */
export const keepLinkAtom = atom(null, (get, set) => {
  if (get(editorLinkAtom).before !== null) set(linkAtom, { ...get(linkAtom), before: null })
})
