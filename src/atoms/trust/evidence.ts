import { atom } from 'jotai'
import { evidenceSizeLimit } from '~/lib/constants'
import type { EvidenceFile, Rechecked } from '~/proof/check-evidence'
import type { Judged } from '~/proof/verdict'
import { evidenceVerdict, type OwnKey } from './evidence-verdict'
import { type OwnPoint, ownPoint } from './own-point'
import { evidenceApart, openProofWorker } from './proof-worker'
import type { TrustRecord } from './record'
import { type TrustedPoints, trustedPointsAtom } from './trusted-points'

export type OpenEvidence =
  | { kind: 'none' }
  | { kind: 'reading'; name: string }
  | { kind: 'unreadable'; name: string; error: string }
  | {
      kind: 'checked'
      name: string
      evidence: EvidenceFile
      rechecked: Rechecked
      own: OwnPoint
      /** An audit in this browser derived the description of the table or collection. */
      isDescribed: boolean
      judged: Judged
    }

const openAtom = atom<OpenEvidence>({ kind: 'none' })

/** The file of evidence that is looked at. */
export const evidenceAtom = atom((get) => get(openAtom))

export const closeEvidenceAtom = atom(null, (_get, set) => set(openAtom, { kind: 'none' }))

/** Reads a file and verifies what is in it, without asking anybody. */
export const openEvidenceAtom = atom(
  null,
  async (get, set, file: Pick<File, 'name' | 'size' | 'text'>) => {
    const { name } = file
    const mine: OpenEvidence = { kind: 'reading', name }
    set(openAtom, mine)
    const found = await checked(file, get(trustedPointsAtom)).catch(
      (): OpenEvidence => ({
        kind: 'unreadable',
        name,
        error: 'The file could not be read, or a part of this console could not be loaded.',
      }),
    )
    // Another file may have been chosen meanwhile.
    if (get(openAtom) === mine) set(openAtom, found)
  },
)

/** Fetches all that a file may need, so that it can be verified when nobody answers any more. */
export function openEngine(): void {
  openProofWorker()
  const parts = [
    import('~/proof/check-evidence'),
    import('~/proof/signature'),
    import('./own-description'),
  ]
  for (const part of parts) {
    part.catch(() => {})
  }
}

async function checked(
  file: Pick<File, 'name' | 'size' | 'text'>,
  points: TrustedPoints,
): Promise<OpenEvidence> {
  const { name, size } = file
  if (size > evidenceSizeLimit) {
    return { kind: 'unreadable', name, error: 'This file is larger than any evidence file.' }
  }
  const opened = await evidenceApart(file)
  if ('error' in opened) return { kind: 'unreadable', name, error: opened.error }
  const { evidence, rechecked } = opened
  const records = await points.all().catch(() => [])
  const own = ownPoint(evidence, rechecked, records)
  const key = await ownKey(evidence, points, records)
  const { isDescribedIn } = await import('./own-description')
  const isDescribed = isDescribedIn(evidence, rechecked, records)
  const judged = evidenceVerdict(rechecked, { point: own, key, isDescribed })
  return { kind: 'checked', name, evidence, rechecked, own, isDescribed, judged }
}

/** Of the server that the file names, at whatever address this browser has met it. */
async function ownKey(
  { context, server }: EvidenceFile,
  points: TrustedPoints,
  records: readonly TrustRecord[],
): Promise<OwnKey> {
  const uuid = server.uuid ?? ''
  const met = records.filter(({ id }) => id.server === uuid).map(({ id }) => id.origin)
  const origins = new Set(uuid === '' ? [server.origin] : [server.origin, ...met])
  const pinned = await Promise.all(
    [...origins].map((origin) => points.pinnedKey(origin, uuid).catch(() => null)),
  )
  const keys = pinned.filter((key) => key !== null)
  if (keys.length === 0 || context.publicKey === null) return 'none'
  return keys.includes(context.publicKey) ? 'same' : 'different'
}
