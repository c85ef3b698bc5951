import type { Getter } from 'jotai'
import { waitForIndex } from '~/api/keys'
import type { Io } from '~/core/act'
import { clientAtom, ensureDatabaseToken } from '~/core/session/client'
import type { DocumentImport, ImportedLine } from './import-file'
import { firstRevision, isSent, writtenSince } from './sent-document'

/**
 * The transaction since the last answer that wrote as many documents, the first and the last of
 * which are those that were sent; null when there is none.
 */
export async function findBatch({ get, set }: Io, now: DocumentImport): Promise<string | null> {
  const { database, collection, txBefore, sent } = now
  await ensureDatabaseToken({ get, set }, get(clientAtom), database)
  await waitForIndex(get(clientAtom), { database })
  const { found } = await writtenSince(get, { database, txBefore })
  const batch = now.file.documents.slice(now.done, now.done + sent)
  for (const { tx, ids } of found) {
    if (ids.length !== sent) continue
    const of = { database, collection: collection.name }
    const [first, last] = [...ids].sort().filter((_, at) => at === 0 || at === sent - 1)
    const isFirst = await holds(get, of, first, tx, batch[0])
    const isLast = sent === 1 || (await holds(get, of, last, tx, batch.at(-1)))
    if (isFirst && isLast) return tx
  }
  return null
}

async function holds(
  get: Getter,
  of: { database: string; collection: string },
  id: string | undefined,
  tx: string,
  line: ImportedLine | undefined,
): Promise<boolean> {
  if (id === undefined || !line) return false
  const found = await firstRevision(get, of, id, tx)
  return found?.document ? isSent(line.json, found.document, id) : false
}
