import { atom } from 'jotai'
import { type Entry, scanKeys } from '~/api/keys'
import { readState } from '~/api/server'
import { base64ToBytes, decodeUtf8 } from '~/lib/bytes'
import { counted } from '~/lib/text'
import { type ExportFile, type ExportPage, exportsOfOneKind } from '../export/exports'
import { plainNames } from '../export/rows'
import { clientAtom, ensureDatabaseToken } from '../session/client'
import { sentence } from '../session/failure'
import type { StoreAccess } from '../storage/storage'
import { readInParts } from './pages'

const { newestAtom, stopAtom, makeAtom } = exportsOfOneKind()

/** The newest export of keys; null while none was asked for. */
export const keysExportAtom = newestAtom

export const stopKeysExportAtom = stopAtom

/** What is exported: the live keys with a prefix, which is standard base64. */
type Keys = { database: string; prefix: string }

/** Names an export, see `Made`. */
export const nameOfKeys = ({ database, prefix }: Keys) => JSON.stringify([database, prefix])

/** Why a file lacks something although it was read to the end. */
class NotWhole extends Error {
  override readonly name = 'NotWhole'
}

/** Writes keys with their values to a file, one in each line. Null when there is no file. */
export const exportKeysAtom = atom(
  null,
  (get, set, of: Keys): Promise<ExportFile | null> =>
    set(makeAtom, {
      of: nameOfKeys(of),
      what: 'key',
      kept: 'the first',
      type: 'application/x-ndjson',
      pages: (signal) => pagesOf({ get, set }, of, signal),
      nameOf: (count, isComplete) =>
        `${plainNames([of.database])}-${count}-keys${isComplete ? '' : '-incomplete'}.ndjson`,
      sentence: (error) => (error instanceof NotWhole ? error.message : sentence(error)),
    }),
)

async function* pagesOf(
  io: StoreAccess,
  { database, prefix }: Keys,
  signal: AbortSignal,
): AsyncGenerator<ExportPage> {
  const client = io.get(clientAtom)
  await ensureDatabaseToken(io, client, database)
  const readTx = async () => (await readState(client, database, signal)).txId
  const before = await readTx()
  let [calls, hidden] = [0, 0]
  const ask = (asked: { after: string | null; offset: number }, limit: number) => {
    signal.throwIfAborted()
    calls += 1
    return scanKeys(client, { database, prefix, ...asked, limit, signal })
  }
  type Part = Awaited<ReturnType<typeof readInParts<Entry, string>>>
  for (let next: Part['next'] = { after: null, offset: 0 }; next !== null; ) {
    const part: Part = await readInParts(ask, ({ key }) => key, next)
    const entries = part.found.filter((entry) => entry !== null)
    hidden += part.found.length - entries.length
    if (entries.length > 0) {
      const lines = entries.map((entry) => `${JSON.stringify(lineOf(entry))}\n`)
      yield { parts: [new Blob(lines)], count: entries.length }
    }
    next = part.next
  }
  if (hidden > 0)
    throw new NotWhole(`${counted(hidden, 'key')} with a value over 4 MiB cannot be read.`)
  if (calls > 1 && (await readTx()) !== before) throw new NotWhole(changedMeanwhile)
}

const changedMeanwhile =
  'They were read in several parts, and the database changed in between: keys may be missing, or be of different moments.'

/**
 * A key as a line of the file: bytes that are no text are base64, under a name that says so. It
 * expires in seconds since 1970.
 */
function lineOf({ key, value, tx, revision, expiresAt, target }: Entry): object {
  return {
    ...named('key', key),
    ...named('value', value),
    tx,
    ...(revision === null ? {} : { revision }),
    ...(expiresAt === null ? {} : { expiresAt }),
    ...(target === null ? {} : named('refersTo', target.key)),
  }
}

function named(name: string, base64: string): object {
  const text = decodeUtf8(base64ToBytes(base64))
  return text === null ? { [`${name}Base64`]: base64 } : { [name]: text }
}
