import { atom } from 'jotai'
import type { Io } from '~/core/act'

/** The ids by databases, as last seen in an address; none: the one with an empty id, or else the first. */
export const addressedEditorsAtom = atom<ReadonlyMap<string, string>>(new Map<string, string>())

/** Notes the `editor` of an address. Only the screen that watches the address calls it. */
export function noteAddressedEditor({ get, set }: Io, database: string, id: string | undefined) {
  const known = get(addressedEditorsAtom)
  if (known.get(database) === (id || undefined)) return
  const ids = new Map(known)
  if (id) ids.set(database, id)
  else ids.delete(database)
  set(addressedEditorsAtom, ids)
}
