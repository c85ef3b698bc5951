import type { Io } from '~/core/act'
import { databaseIdAtom } from '~/core/session/session'
import type { Schema } from '~/proof/schema'
import { schemaIn } from './pins'
import { trustedStatesAtom } from './trusted-states'
import type { Verification } from './verification'

/** A table's description in lines, as pinned and as the server claims it now. */
export type SchemaChange = { pinned: readonly string[]; claimed: readonly string[] }

/** Both descriptions of the table that a row was refused for. */
export async function readSchemaChange(_io: Io, of: Verification) {
  const pinned = of.context?.schema
  const claimed = await claimedIn(of)
  return pinned && claimed ? { pinned: lines(pinned), claimed: lines(claimed) } : null
}

const forgotten =
  'The trusted state that this was compared with has since been forgotten. The result says nothing about the present history. Verify the row again.'
const notKept = 'The new description could not be saved in this browser. Nothing was accepted.'

/**
 * Pins the present description, because the operator knows why it changed. Resolves with null, or a
 * sentence about why that is not possible. A description belongs to the record with which it was
 * seen.
 */
export async function acceptSchema({ get }: Io, of: Verification): Promise<string | null> {
  const { basis, database, server } = of
  const firstContact = basis && basis !== 'example' ? basis.contact : null
  if (!firstContact) return forgotten
  const id = { ...get(databaseIdAtom)(database), server }
  try {
    const claimed = await claimedIn(of)
    const isPinned =
      claimed && (await get(trustedStatesAtom).pinSchema({ id, firstContact }, claimed))
    return isPinned ? null : forgotten
  } catch {
    return notKept
  }
}

async function claimedIn({ context, response }: Verification): Promise<Schema | null> {
  const table = context?.schema?.table
  if (table === undefined) return null
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
