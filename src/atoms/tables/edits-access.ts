import { atom } from 'jotai'
import { sentence } from '~/core/session/failure-words'
import { lackingAtom } from '~/core/session/server-version'
import { memoizeByNames } from '~/lib/memoize-by-names'
import { isBusy } from '~/lib/write-state'
import type { EditTable, StagedEdit } from '~/sql/row-edits'
import { privilegeRefusalAtom } from '../users/privileges'
import { writeRefusalAtom } from '../users/viewer'
import type { Place } from './edits'
import { commitStateAtom } from './edits-commit'
import { resumeEdits } from './edits-rows'

const privileges: Readonly<Record<StagedEdit['kind'], string>> = {
  add: 'INSERT',
  change: 'UPDATE',
  delete: 'DELETE',
}

/** Gives why what is staged must stay as it is, since it was sent; undefined when it may change. */
export const editsHeldAtom = atom((get) => {
  const state = get(commitStateAtom)
  return (place: Place): string | undefined => {
    if (isBusy(state(place))) return 'Your edits are being sent.'
    return state(place).kind === 'unknown'
      ? 'Check first what became of the edits that you sent.'
      : undefined
  }
})

/** Gives why rows cannot be edited in one way; undefined when they can. */
export const editRefusalAtom = atom((get) => {
  const refusal = get(writeRefusalAtom)
  const lacks = get(privilegeRefusalAtom)
  const held = get(editsHeldAtom)
  // An INSERT is refused by itself when its row is there.
  const tooOld = get(lackingAtom)('rowEdits')
  return (place: Place, kind: StagedEdit['kind']): string | undefined =>
    held(place) ?? refusal ?? lacks(privileges[kind]) ?? (kind === 'add' ? undefined : tooOld)
})

/**
 * Continues the edits of an earlier visit when it is mounted; null, or why that failed.
 * @param table an {@link EditTable} as JSON
 */
export const resumedEditsAtom = atom(() =>
  memoizeByNames((database = '', table = '') => {
    const of: EditTable = JSON.parse(table)
    const failureAtom = atom<string | null>(null)
    const resumed = atom(
      (get) => get(failureAtom),
      async (get, set) => {
        set(failureAtom, null)
        await resumeEdits({ get, set }, { database, table: of.name }, of).catch((error: unknown) =>
          set(failureAtom, sentence(error)),
        )
      },
    )
    resumed.onMount = (resume) => void resume()
    return resumed
  }),
)
