import { atom } from 'jotai'
import type { Io } from '~/core/act'
import { databaseAtom } from '~/core/session/session'
import { editorTextAtom, loadDraft, setEditorText } from './editor'

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
export async function openLink(io: Io, text: string) {
  await loadDraft(io)
  const before = io.get(editorTextAtom) ?? ''
  if (before === text) return
  setEditorText(io, text)
  io.set(linkAtom, ({ number }) => ({ number: number + 1, before, database: io.get(databaseAtom) }))
}

/** Restores the editor's text from before the link. */
export function undoLink(io: Io) {
  const { number, before } = io.get(editorLinkAtom)
  if (before === null) return
  setEditorText(io, before)
  io.set(linkAtom, { number: number + 1, before: null, database: null })
}

/** Keeps the text of the link as the user's own. */
export function keepLinkedText({ get, set }: Io) {
  if (get(editorLinkAtom).before !== null) set(linkAtom, { ...get(linkAtom), before: null })
}
