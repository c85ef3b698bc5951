import type { Io } from '~/core/act'
import { databaseIdAtom } from '~/core/session/session'
import { build } from '~/lib/build'
import { writeEvidence } from '~/proof/evidence'
import type { TrustRecord } from './trust-record'
import type { Verification } from './verification'

/** The file of a verification, to be saved; `report` is kept beside it. */
export async function writeEvidenceFile(
  { get }: Io,
  verification: Verification,
  report?: unknown,
): Promise<{ name: string; text: string }> {
  const { database, server, what, at, basis } = verification
  const { origin } = get(databaseIdAtom)(database)
  // The first contact of the compared history, even if that is forgotten now.
  const contact = basis && basis !== 'example' ? basis.contact : null
  const text = writeEvidence(verification, {
    server: { uuid: server || null, origin },
    console: consoleNow(),
    firstContact: contact && writtenContact(contact),
    ...(report === undefined ? {} : { report }),
  })
  const moment = new Date(at).toISOString().slice(0, 19).replaceAll(':', '')
  // The rest may be long, and file names are cut.
  return { name: `evidence ${moment} ${database} ${what}`, text }
}

function writtenContact({ at, txId, txHash }: TrustRecord['firstContact']) {
  return { at: new Date(at).toISOString(), txId, txHash }
}

/** The console of this page, as files name it. */
export const consoleNow = () => ({ ...build, bundle: bundleName() })

/** The script that started this page; its name holds a hash over all others. */
function bundleName(): string {
  const script = document.querySelector<HTMLScriptElement>('script[type="module"][src]')
  return script?.src.split('/').at(-1) ?? ''
}
