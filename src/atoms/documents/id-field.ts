import { readIdField } from '~/api/collections'
import type { Io } from '~/core/act'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import { sentence, technicalDetails } from '~/core/session/failure-words'
import type { Refused } from '~/lib/write-state'
import { refreshDocuments } from './collections'

type Of = { readonly database: string; readonly collection: string; readonly idField: string }

/**
 * Why a write is not sent that names a document, or the field itself, by the field for ids: another
 * tab or program has renamed it, and the old name may be that of another field now.
 */
export async function refusalOfRenamed(
  io: Io,
  { database, collection, idField }: Of,
): Promise<Refused | null> {
  try {
    const client = io.get(clientAtom)
    await ensureDatabaseToken(io, client, database)
    const now = await readIdField(client, { database, collection })
    if (now === idField) return null
    void refreshDocuments(io, database)
    const text = `The field for the ids was renamed in the meantime, from ${idField} to ${now}. Look at the collection again before you repeat this.`
    return { kind: 'refused', text, details: 'another field for ids' }
  } catch (error) {
    const text = `The collection could not be read before the write. ${sentence(error)}`
    return { kind: 'refused', text, details: technicalDetails(error) }
  }
}
