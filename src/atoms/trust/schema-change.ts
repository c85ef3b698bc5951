import { atom } from 'jotai'
import type { Schema } from '~/proof/schema'
import { pointIdAtom } from '../session'
import { trustedPointsAtom } from './trusted-points'
import type { Verification } from './verification'

/** A table's description in lines, as pinned and as the server claims it now. */
export type SchemaChange = { pinned: readonly string[]; claimed: readonly string[] }

/** Both descriptions of the table that a row was refused for. */
export const schemaChangeAtom = atom(null, async (_get, _set, of: Verification) => {
  const pinned = of.context?.schema
  const claimed = await claimedIn(of)
  return pinned && claimed ? { pinned: lines(pinned), claimed: lines(claimed) } : null
})

/** Pins the description of today, because the operator knows why it changed. */
export const acceptSchemaAtom = atom(null, async (get, _set, of: Verification): Promise<void> => {
  const claimed = await claimedIn(of)
  const id = { ...get(pointIdAtom)(of.database), server: of.server }
  if (claimed) await get(trustedPointsAtom).pinSchema(id, claimed.table, claimed)
})

async function claimedIn({ context, response }: Verification): Promise<Schema | null> {
  const table = context?.schema?.table
  if (table === undefined) return null
  const { schemaIn } = await import('./pins')
  return schemaIn(response, table)
}

function lines({ cols, pk, tableId }: Schema): string[] {
  const name = (id: number) => cols.find((column) => column.id === id)?.name ?? String(id)
  const columns = cols.map(
    ({ id, name: of, type, maxLen }) =>
      `${id} ${of} ${type}${maxLen > 0 && /VARCHAR|BLOB/.test(type) ? `[${maxLen}]` : ''}`,
  )
  return [`table number ${tableId}`, ...columns, `key (${pk.map(name).join(', ')})`]
}
