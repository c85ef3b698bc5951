import { atom } from 'jotai'
import { build } from '~/lib/build'
import { evidenceSizeLimit } from '~/lib/constants'
import type { Rechecked } from '~/proof/check-evidence'
import { type Evidence, readEvidence, writeEvidence } from '~/proof/evidence'
import { pointIdAtom } from '../session'
import { type OwnPoint, ownPoint } from './own-point'
import type { TrustRecord } from './record'
import { trustedPointsAtom } from './trusted-points'
import type { Verification } from './verification'

export type OpenEvidence =
  | { kind: 'none' }
  | { kind: 'reading'; name: string }
  | { kind: 'unreadable'; name: string; error: string }
  | { kind: 'checked'; name: string; evidence: Evidence; rechecked: Rechecked; own: OwnPoint }

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
  const found = readEvidence(await file.text())
  if ('error' in found) return { kind: 'unreadable', name, error: found.error }
  const { evidence } = found
  const { checkEvidence } = await import('~/proof/check-evidence')
  const rechecked = await checkEvidence(evidence)
  const own = ownPoint(evidence, rechecked, await records().catch(() => []))
  return { kind: 'checked', name, evidence, rechecked, own }
}

/** The file of a verification, to be saved; `report` is kept beside it. */
export const evidenceFileAtom = atom(
  null,
  async (
    get,
    _set,
    verification: Verification,
    report?: unknown,
  ): Promise<{ name: string; text: string }> => {
    const { database, server, what, at, basis } = verification
    const { origin } = get(pointIdAtom)(database)
    // Of the history it was compared with, which may be forgotten by now.
    const contact = basis && basis !== 'example' ? basis.contact : null
    const text = writeEvidence(verification, {
      server: { uuid: server || null, origin },
      console: { ...build, bundle: bundleName() },
      firstContact: contact && writtenContact(contact),
      ...(report === undefined ? {} : { report }),
    })
    const moment = new Date(at).toISOString().slice(0, 19).replaceAll(':', '')
    return { name: `evidence ${database} ${what} ${moment}`, text }
  },
)

function writtenContact({ at, txId, txHash }: TrustRecord['firstContact']) {
  return { at: new Date(at).toISOString(), txId, txHash }
}

/** The script that started this page; its name holds a hash over all others. */
function bundleName(): string {
  const script = document.querySelector<HTMLScriptElement>('script[type="module"][src]')
  return script?.src.split('/').at(-1) ?? ''
}
