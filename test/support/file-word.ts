import type { openEvidenceFile } from '~/proof/check-evidence'
import type { evidenceVerdict, forkVerdict } from '~/trust/evidence'
import type { OwnKey, ownState } from '~/trust/recorded-state'
import type { TrustRecord } from '~/trust/trust-record'

/** A trusted state that the reader of a file gives, FORMAT.md 7.2. */
export type GivenState = {
  database: string
  txId: string
  txHash: string
  server: string
  address: string
}

/** What reads a file and says what it shows. */
export type FileReader = {
  openEvidenceFile: typeof openEvidenceFile
  ownState: typeof ownState
  evidenceVerdict: typeof evidenceVerdict
  forkVerdict: typeof forkVerdict
}

/** The records of a browser that keeps exactly these states, all of them proven. */
const recordsOf = (states: readonly GivenState[]): TrustRecord[] =>
  states.map(({ database, txId, txHash, server, address }) => ({
    id: { origin: address, server, database },
    point: { txId, txHash },
    firstContact: { txId, txHash, at: 1 },
    moved: 1,
    checked: 1,
    provenAt: 1,
    how: 'first',
    history: [],
    break: null,
    schemas: new Map(),
    collections: new Map(),
  }))

function keyBeside(key: string | null, keys: readonly string[]): OwnKey {
  if (keys.length === 0) return 'none'
  if (key === null) return 'missing'
  return keys.includes(key) ? 'same' : 'different'
}

/**
 * The word for a file beside some states and keys, FORMAT.md 7.3, by the console's own verdict.
 * @param keys base64 of 65 bytes each
 */
export async function wordOf(
  reader: FileReader,
  file: Uint8Array<ArrayBuffer>,
  states: readonly GivenState[],
  keys: readonly string[] = [],
): Promise<string> {
  const opened = await reader.openEvidenceFile(
    new Blob([file]),
    new Set(states.map(({ txId }) => txId)),
  )
  if ('error' in opened) return 'unreadable'
  const { evidence, rechecked, claims, fork } = opened
  const records = recordsOf(states)
  if (fork) {
    const sides = fork.map(({ db, server, key, claims: theirs }) => {
      const own = records.filter(({ id }) => id.origin === server.origin)
      // Whose key it is says nothing about the other side.
      const isKnown = key !== null && keys.includes(key)
      return {
        point: reader.ownState({ context: { db }, server }, theirs, own),
        key: isKnown ? ('same' as const) : ('none' as const),
      }
    })
    return reader.forkVerdict(rechecked, sides, { keeping: 'kept', isOneServer: false }).verdict
  }
  const point = reader.ownState(evidence, claims, records)
  const key = keyBeside(evidence.context.publicKey, keys)
  const rest = { keeping: 'kept', isDescribed: false, isBroken: false } as const
  return reader.evidenceVerdict(rechecked, { point, key, ...rest }).verdict
}
