import { counted, formatCount, formatTx, listOf } from '~/lib/text'

/** Why a text is no key of a witness. */
const keyRefusals: ReadonlyMap<string, string> = new Map([
  ['nothing', 'Paste the key, or choose its file.'],
  [
    'private',
    'This is a private key. Anyone who has it can sign in the name of the witness, so keep it away from browsers. Use the verifier key here.',
  ],
  [
    'not-a-key',
    'This is not a verifier key. One looks like auditor.example+1a2b3c4d+AbCd…, in one line.',
  ],
  ['other-kind', 'This key is for another kind of signature. Checkpoints are signed with Ed25519.'],
  [
    'wrong-hash',
    'The eight digits do not belong to this name and key: something in it was changed. Copy it again.',
  ],
])

/** The sentence for a reason of `proof/checkpoint.ts`. */
export function witnessKeyRefusal(code: string): string {
  return keyRefusals.get(code) ?? 'This key cannot be read. Reload the page and try again.'
}

const again = 'Get the file again as the auditor wrote it.'

const faults: ReadonlyMap<string, string> = new Map([
  ['empty', 'The file is empty.'],
  ['bom', `The file begins with a byte order mark, so a program changed it. ${again}`],
  ['crlf', `The line ends as in Windows (CR LF), so a program changed the file. ${again}`],
  ['control', 'The line has a control character, which no checkpoint has.'],
  ['not-utf-8', 'This is not UTF-8 text.'],
  ['origin', 'A checkpoint begins here with immudb/SERVER/DATABASE, and this line does not.'],
  [
    'another-origin',
    'This checkpoint is of another server or database than the first of the file.',
  ],
  ['transaction', 'This is not the number of a transaction.'],
  ['hash', 'This is not base64 of a hash of 32 bytes.'],
  ['more-lines', 'An empty line must come after the hash.'],
  ['signature', 'This is not a line of signature.'],
  ['signatures', 'One checkpoint has more than 100 signatures.'],
  ['separator', 'Exactly one empty line stands between two checkpoints.'],
  ['cut', `The file ends within a checkpoint. ${again}`],
  [
    'wrong-signature',
    'The signature does not belong to this checkpoint, so someone changed it or made it up.',
  ],
  [
    'falling',
    'The checkpoint does not follow the one before: its transaction is older, or has another hash.',
  ],
])

/** What is wrong with a file of checkpoints; `name` is that of a witness. */
export function checkpointProblem(
  { line, why }: { line: number; why: string },
  name?: string,
): string {
  const of = name === undefined ? '' : ` Witness: ${name}.`
  return `Line ${formatCount(line)}: ${faults.get(why) ?? 'It cannot be read.'}${of}`
}

type Content = {
  notes: number
  server: string
  database: string
  isElsewhere: boolean
  unsigned: number
  signers: readonly string[]
}

/** What was in a file, and what of it was not compared, in sentences. */
export function contentWords(content: Content): string[] {
  const { notes, server, database, isElsewhere, unsigned, signers } = content
  const said = [`${counted(notes, 'checkpoint')} of ${database} in the file.`]
  if (isElsewhere) {
    said.push(
      `They are of another server, ${server || 'one without an id'}, so nothing was compared. A replica is another server, too.`,
    )
  }
  if (unsigned > 0) {
    const names = signers.length > 0 ? ` They name ${listOf(signers)}.` : ''
    said.push(`Not signed by a pinned witness, and not compared: ${formatCount(unsigned)}.${names}`)
  }
  return said
}

type Finding = { kind: 'differs' | 'itself' | 'falls'; txId: string; before: string | null }

/** What contradicts; `later` is a newer checkpoint of the witness that does lie in the history. */
export function witnessFindingWords(
  { kind, txId, before }: Finding,
  name: string,
  later: string | null,
): string {
  const tx = formatTx(txId)
  if (kind !== 'differs') {
    const what =
      kind === 'itself'
        ? `signed two hashes for tx ${tx}`
        : `signed tx ${tx} after tx ${formatTx(before ?? '0')}`
    return `${name} ${what}, so it contradicts itself. This says nothing about the server. The auditor is at fault, or more than one program has its key. Keep the file, and ask who runs it.`
  }
  const first =
    before === null ? '' : ` The last one before it that does is tx ${formatTx(before)}.`
  const newer =
    later === null
      ? ''
      : ` A newer one, tx ${formatTx(later)}, does: an auditor that proves each step would have noticed.`
  return `The checkpoint at tx ${tx} does not lie in this history: ${name} signed another hash.${first}${newer} There are two histories, or the witness is wrong. Keep the evidence, and ask who runs it before you trust this server.`
}

/** Which transactions checkpoints are of, by the first and the last. */
export function spanWords({ first, last }: { first: string; last: string }): string {
  const from = formatTx(first)
  return first === last ? `at tx ${from}` : `from tx ${from} to tx ${formatTx(last)}`
}

type Proved = {
  given: number
  proven: number
  span: { first: string; last: string } | null
  end:
    | { kind: 'all' }
    | { kind: 'ahead'; newest: string; count: number }
    | { kind: 'found'; finding: Finding }
    | { kind: 'refused'; txId: string }
    | { kind: 'stopped'; why: string }
}

type ProvedWords = { tone: 'neutral' | 'warning' | 'error'; word: string; text: string }

/** What became of the checkpoints of one witness and database. */
export function provedWords(proved: Proved, name: string): ProvedWords {
  const { given, proven, span, end } = proved
  const reach = span ? `, ${spanWords(span)}` : ''
  const share = `Proven to lie in this history: ${formatCount(proven)} of ${counted(given, 'checkpoint')}${reach}.`
  switch (end.kind) {
    case 'all':
      return { tone: 'neutral', word: 'All in this history', text: share }
    case 'ahead':
      return {
        tone: 'warning',
        word: 'Not reached',
        text: `${share} Newer than the server’s newest transaction, tx ${formatTx(end.newest)}: ${formatCount(end.count)}. If they are right, the server lost transactions, or this is another copy of it.`,
      }
    case 'found': {
      const text = `${share} ${witnessFindingWords(end.finding, name, null)}`
      return end.finding.kind === 'differs'
        ? { tone: 'error', word: 'Different', text }
        : { tone: 'warning', word: 'Contradicts itself', text }
    }
    case 'refused':
      return {
        tone: 'error',
        word: 'Refused',
        text: `${share} The server’s proof of tx ${formatTx(end.txId)} was refused, which is a finding about the server. It says nothing about the witness.`,
      }
    case 'stopped':
      return {
        tone: 'warning',
        word: proven === given ? 'Not compared now' : 'Not all compared',
        text: `${share} ${end.why || 'The rest could not be compared. Try again.'}`,
      }
  }
}

/** Why a typed address is not fetched. */
export const addressRefusals = {
  invalid: 'This is not an address.',
  elsewhere:
    'This address is of another site, and this page fetches nothing from there. Save the file and choose it here.',
} as const
