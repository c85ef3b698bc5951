import { atom } from 'jotai'
import { evidenceSizeLimit } from '~/lib/constants'
import type { EvidenceFile, EvidenceProgress, Rechecked } from '~/proof/check-evidence'
import type { Judged } from '~/proof/verdict'
import type { StoreAccess } from '../storage/store-access'
import { evidenceVerdict, type OwnKey } from './evidence-verdict'
import { openEvidenceWorker, readEvidenceFile } from './evidence-worker'
import { isDescribedIn } from './own-description'
import { type OwnState, ownState, recordsOf } from './own-state'
import { recordedStates, type TrustRecord } from './record'
import type { TrustedStates } from './trusted-states'
import { trustedStatesAtom } from './trusted-states'

export type OpenEvidence =
  | { kind: 'none' }
  | { kind: 'reading'; name: string; progress: EvidenceProgress | null }
  | { kind: 'unreadable'; name: string; error: string }
  | {
      kind: 'checked'
      name: string
      evidence: EvidenceFile
      rechecked: Rechecked
      own: OwnState
      /** The content was checked, and is more than a page can show. */
      isTooLong: boolean
      key: OwnKey
      /** An audit in this browser derived the description of the table or collection. */
      isDescribed: boolean
      judged: Judged
    }

const openAtom = atom<OpenEvidence>({ kind: 'none' })

/** The file of evidence that is looked at. */
export const evidenceAtom = atom((get) => get(openAtom))

/** Ends the reading of a file, or puts away what came of it. */
export const closeEvidenceAtom = atom(null, (_get, set) => {
  cancelReading()
  set(openAtom, { kind: 'none' })
})

/** Ends the reading of the file before, of which nothing is shown any more. */
let cancelReading = () => {}

/** Reads a file and verifies what is in it, without asking anybody. */
export const openEvidenceAtom = atom(
  null,
  async (get, set, file: Pick<File, 'name' | 'size' | 'text'>) => {
    const { name } = file
    const io = { get, set }
    cancelReading()
    let mine: OpenEvidence = { kind: 'reading', name, progress: null }
    // Another file may have been chosen meanwhile.
    const isMine = () => get(openAtom) === mine
    set(openAtom, mine)
    const tell = (progress: EvidenceProgress) => {
      if (!isMine()) return
      mine = { kind: 'reading', name, progress }
      set(openAtom, mine)
    }
    const found = await checkFile(io, file, get(trustedStatesAtom), { tell, isMine }).catch(
      (): OpenEvidence => ({
        kind: 'unreadable',
        name,
        error: 'The file could not be read, or a part of this console could not be loaded.',
      }),
    )
    if (found && isMine()) set(openAtom, found)
  },
)

type Reading = { tell: (progress: EvidenceProgress) => void; isMine: () => boolean }

/** Fetches all that a file may need, so that it can be verified when nobody answers any more. */
export function openEngine(): void {
  openEvidenceWorker()
  const parts = [import('~/proof/engine'), import('~/proof/signature')]
  for (const part of parts) {
    part.catch(() => {})
  }
}

async function checkFile(
  io: StoreAccess,
  file: Pick<File, 'name' | 'size' | 'text'>,
  points: TrustedStates,
  { tell, isMine }: Reading,
): Promise<OpenEvidence | null> {
  const { name, size } = file
  if (size > evidenceSizeLimit) {
    return { kind: 'unreadable', name, error: 'This file is larger than any evidence file.' }
  }
  const all = await points.all().catch(() => [])
  const records = await acceptedAmong(all, points)
  if (!isMine()) return null
  const { opened: opening, cancel } = readEvidenceFile(file, recordedTxs(records), tell)
  cancelReading = cancel
  const opened = await opening.finally(() => {
    if (cancelReading === cancel) cancelReading = () => {}
  })
  if ('error' in opened) return { kind: 'unreadable', name, error: opened.error }
  const { evidence, rechecked, claims, isTooLong } = opened
  const own = ownState(evidence, claims, records)
  const key = await ownKey(evidence, points, records)
  const isDescribed = await isDescribedIn(io, opened, own, records)
  const isBroken = recordsOf(evidence, records).some((record) => record.break !== null)
  const keeping = await points.keeping()
  const judged = evidenceVerdict(rechecked, { point: own, key, keeping, isDescribed, isBroken })
  const checked = { name, evidence, rechecked, own, isTooLong, key, isDescribed, judged }
  return { kind: 'checked', ...checked }
}

/** Those of servers that an operator still accepts; a revoked one vouches for nothing. */
async function acceptedAmong(
  records: readonly TrustRecord[],
  points: TrustedStates,
): Promise<TrustRecord[]> {
  const isAccepted = await Promise.all(
    records.map(async ({ id }) => points.isAccepted(id.origin, id.server).catch(() => false)),
  )
  return records.filter((_, at) => isAccepted[at])
}

/** The transactions of which a hash is recorded here, of whatever database. */
function recordedTxs(records: readonly TrustRecord[]): string[] {
  return [...new Set(records.flatMap(recordedStates).map(({ txId }) => txId))]
}

/** Of the server that the file names, at whatever address this browser has met it. */
async function ownKey(
  { context, server }: EvidenceFile,
  points: TrustedStates,
  records: readonly TrustRecord[],
): Promise<OwnKey> {
  const uuid = server.uuid ?? ''
  const met = records.filter(({ id }) => id.server === uuid).map(({ id }) => id.origin)
  const origins = new Set(uuid === '' ? [server.origin] : [server.origin, ...met])
  const pinned = await Promise.all(
    [...origins].map(async (origin) => {
      if (!(await points.isAccepted(origin, uuid))) return null
      return points.pinnedKey(origin, uuid).catch(() => 'unread' as const)
    }),
  ).catch((): null[] => [])
  if (pinned.some((key) => key === 'unread')) return 'unread'
  const keys = pinned.filter((key) => key !== null)
  if (keys.length === 0) return 'none'
  if (context.publicKey === null) return 'missing'
  return keys.includes(context.publicKey) ? 'same' : 'different'
}
