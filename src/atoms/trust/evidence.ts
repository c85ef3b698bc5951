import { atom } from 'jotai'
import { evidenceSizeLimit } from '~/lib/constants'
import type { EvidenceFile, Rechecked } from '~/proof/check-evidence'
import { type OwnPoint, ownPoint } from './own-point'
import { evidenceApart, openProofWorker } from './proof-worker'
import type { TrustRecord } from './record'
import { trustedPointsAtom } from './trusted-points'

export type OpenEvidence =
  | { kind: 'none' }
  | { kind: 'reading'; name: string }
  | { kind: 'unreadable'; name: string; error: string }
  | { kind: 'checked'; name: string; evidence: EvidenceFile; rechecked: Rechecked; own: OwnPoint }

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
    const found = await checked(file, () => get(trustedPointsAtom).all()).catch(
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
  for (const part of [import('~/proof/check-evidence'), import('~/proof/signature')]) {
    part.catch(() => {})
  }
}

async function checked(
  file: Pick<File, 'name' | 'size' | 'text'>,
  records: () => Promise<readonly TrustRecord[]>,
): Promise<OpenEvidence> {
  const { name, size } = file
  if (size > evidenceSizeLimit) {
    return { kind: 'unreadable', name, error: 'This file is larger than any evidence file.' }
  }
  const opened = await evidenceApart(file)
  if ('error' in opened) return { kind: 'unreadable', name, error: opened.error }
  const { evidence, rechecked } = opened
  const own = ownPoint(evidence, rechecked, await records().catch(() => []))
  return { kind: 'checked', name, evidence, rechecked, own }
}
