import type { Io } from '~/core/act'
import type { DatabaseId } from '~/core/session/database-id'
import { databaseIdAtom } from '~/core/session/session'
import { writeStateText } from '~/immudb/state-text'
import { bytesToHex, encodeUtf8 } from '~/lib/bytes'
import type { ArchivedFile } from '~/lib/zip-file'
import { hash } from '~/proof/kernel/hash'
import { publicKeyPem } from '~/proof/public-key'
import { writeIncidents } from '~/words/incident'
import { readRecord } from './audit/audit-store'
import { writeAuditEvidence } from './audit/report-verdict'
import { writeEvidenceFile } from './evidence-file'
import { mostOthers } from './findings'
import { checkedReceiptsAtom } from './receipts'
import { writeRecords, writtenOf } from './recorded-state'
import { trustsAtom } from './trust'
import {
  type Break,
  type Records,
  recordedStates,
  type Sighting,
  serverIn,
  type TrustRecord,
} from './trust-record'
import { listRecords } from './trusted-states'
import { unreadableText } from './unreadable-text'
import type { Verification } from './verification'
import { fetchVerifyPage, verifyPageName } from './verify-page'
import { nameOfWitness } from './witness-record'

/** The files of an archive, and a sentence for each part that it does not have. */
export type DamageArchive = { files: readonly ArchivedFile[]; left: readonly string[] }

/**
 * Everything that this browser has about the server of a database, as files: trusted states,
 * incidents, decisions, keys, evidence, receipts of this page, reports of audits, and the page that
 * checks them. A part that cannot be written keeps none of the others back.
 */
export async function collectForArchive(io: Io, database: string): Promise<DamageArchive> {
  const here = io.get(databaseIdAtom)(database)
  const isOf = ({ origin, server }: Pick<DatabaseId, 'origin' | 'server'>) =>
    origin === here.origin || (server !== '' && server === here.server)
  const all = await listRecords(io.get)
  const records = all.records.filter(({ id }) => isOf(id))
  const files: ArchivedFile[] = [...textFiles(all, records, isOf)]
  const left: string[] = []
  const add = async (folder: string, what: string, write: () => Promise<NamedText | null>) => {
    const file = await write().catch(() => 'failed' as const)
    if (file === 'failed') left.push(`${what} could not be written.`)
    else if (file) files.push({ path: numbered(folder, files, file.name), content: file.text })
  }
  for (const { what, verification } of findingsOf(io, records)) {
    if (verification.isTooLarge) left.push(`The answer about ${what} was too large to keep.`)
    else await add('evidence', `Evidence of ${what}`, () => writeEvidenceFile(io, verification))
  }
  for (const { id } of records.filter(({ others = [] }) => others.length >= mostOthers)) {
    left.push(
      `This browser keeps evidence of ${mostOthers + 1} findings of a database. If ${id.database} had more, incidents.txt names them.`,
    )
  }
  for (const { witness, found } of all.sightings.filter(({ id }) => isOf(id))) {
    const verification = found?.verification
    if (!verification) continue
    const what = `tx ${found.txId}, of which ${nameOfWitness(witness)} signed another hash`
    await add('evidence', `Evidence of ${what}`, () => writeEvidenceFile(io, verification))
  }
  for (const verification of io.get(checkedReceiptsAtom)(database)) {
    const what = `The receipt of ${verification.what}`
    await add('receipts', what, () => writeEvidenceFile(io, verification))
  }
  for (const { id } of records) {
    await add('audits', `The audit report of ${id.database}`, async () => {
      const { report } = (await readRecord(io, id)).record
      return report && writeAuditEvidence(io, report)
    })
  }
  const page = await fetchVerifyPage(io)
  if ('page' in page) files.push({ path: verifyPageName, content: page.page })
  else left.push(`${verifyPageName} is missing. ${page.error}`)
  if (all.keeping !== 'kept') {
    left.push('This browser kept records in memory only, so those of earlier visits are missing.')
  }
  files.push({ path: 'README.txt', content: readme(database, here, left) })
  return { files: [...files, sums(files)], left }
}

type NamedText = { name: string; text: string }

function* textFiles(
  { incidents, log, keys, sightings, unreadable }: Records,
  records: readonly TrustRecord[],
  isOf: (id: Pick<DatabaseId, 'origin' | 'server'>) => boolean,
): Iterable<ArchivedFile> {
  yield { path: 'trusted-states.txt', content: writeRecords(records, sightings) }
  const earlier = records.flatMap((record) => {
    const once = new Map(recordedStates(record).map((one) => [`${one.txId} ${one.txHash}`, one]))
    const filled = [...once.values()].filter(({ txId }) => txId !== '0')
    return filled.map(({ txId, txHash }) => ({ ...writtenOf(record), txId, txHash, at: '' }))
  })
  yield { path: 'earlier-states.txt', content: writeStateText(earlier) }
  const incidentsHere = incidents.filter(({ id }) => isOf(id))
  yield { path: 'incidents.txt', content: writeIncidents(incidentsHere) }
  const decisions = log.filter(({ id }) => isOf(id))
  yield { path: 'decisions.json', content: `${JSON.stringify(decisions, null, 2)}\n` }
  yield* signedFiles(sightings.filter(({ id }) => isOf(id)))
  let number = 0
  for (const [at, key] of keys) {
    const of = serverIn(at)
    if (!of || !isOf(of)) continue
    number += 1
    yield { path: `keys/${number}.pem`, content: publicKeyPem(key) }
  }
  for (const [index, record] of unreadable.entries()) {
    yield { path: `unreadable/${index + 1}.json`, content: unreadableText(record) }
  }
}

/** The keys of witnesses that were compared, and what they signed that contradicts. */
function* signedFiles(sightings: readonly Sighting[]): Iterable<ArchivedFile> {
  const keys = [...new Set(sightings.map(({ witness }) => witness))]
  for (const [index, key] of keys.entries()) {
    yield { path: `witnesses/${index + 1}.key`, content: `${key}\n` }
  }
  for (const [index, { found }] of sightings.entries()) {
    if (found) yield { path: `witnesses/signed-${index + 1}.txt`, content: found.notes.join('\n') }
  }
}

/** All that was found wrong and has not ended, also what this page alone knows of. */
function findingsOf(io: Io, records: readonly TrustRecord[]) {
  const stored = records.flatMap(({ break: shown, others = [] }) => [
    ...(shown ? [shown] : []),
    ...others,
  ])
  const seen = [...io.get(trustsAtom).values()].flatMap((trust) =>
    trust.kind === 'broken' ? [trust.broken] : [],
  )
  // One that is stored may be known to this page, too.
  const keyed = (one: Break) => JSON.stringify([one.at, one.kind, one.what, one.reason])
  const all = new Map([...seen, ...stored].map((one) => [keyed(one), one]))
  return [...all.values()].flatMap(({ what, verification }) =>
    verification ? [{ what, verification }] : [],
  ) satisfies { what: string; verification: Verification }[]
}

/** A path that no other file has, made of letters that every system takes. */
function numbered(folder: string, files: readonly ArchivedFile[], name: string): string {
  const number = files.filter(({ path }) => path.startsWith(`${folder}/`)).length + 1
  const plain = name.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 60)
  return `${folder}/${String(number).padStart(3, '0')}-${plain}.json`
}

function readme(database: string, { origin, server }: DatabaseId, left: readonly string[]) {
  const missing = left.map((one) => `- ${one}`)
  const one = (text: string) => text.replaceAll(/\s+/g, ' ')
  return [
    'What one browser knew of an immudb server when something was found wrong',
    '',
    `Saved: ${new Date().toISOString()}`,
    `Database: ${one(database)}`,
    `Server: ${one(server)} at ${one(origin)}`,
    '',
    'trusted-states.txt  the newest state of each database that this browser trusts',
    'earlier-states.txt  all states that it recorded on the way there',
    'incidents.txt       what went wrong, and when',
    'decisions.json      what operators did with trusted states',
    'keys/               pinned signing keys of the server',
    'evidence/           what was found wrong, to be checked by anyone',
    'witnesses/          keys of witnesses, and checkpoints of theirs that contradict',
    'receipts/           proofs of writes of the page that saved this',
    'audits/             reports of deep audits',
    'unreadable/         records that this browser could not read',
    'verify.html         the page that checks the files, without a server',
    'SHA256SUMS          hashes of all other files: sha256sum -c SHA256SUMS',
    '',
    'Check a file: open verify.html, or run: webconsole verify FILE',
    'If you did not save this archive, take verify.html and the states to compare with from elsewhere:',
    'whoever made the archive made them, too.',
    'Check a restored copy: compare it with trusted-states.txt before anyone writes to it.',
    ...(missing.length > 0 ? ['', 'Not in this archive:', ...missing] : []),
    '',
  ].join('\n')
}

function sums(files: readonly ArchivedFile[]): ArchivedFile {
  const lines = files.map(({ path, content }) => {
    const bytes = typeof content === 'string' ? encodeUtf8(content) : content
    return `${bytesToHex(hash(bytes))}  ${path}\n`
  })
  return { path: 'SHA256SUMS', content: lines.join('') }
}
