/** A step of the proof: what was checked, and what it means when it holds. */
export type StepWords = { title: string; says: string; unchecked?: string }

const steps: ReadonlyMap<string, StepWords> = new Map([
  [
    'value',
    {
      title: 'Content to digest',
      says: 'From key and content.',
    },
  ],
  [
    'entry',
    {
      title: 'Digest in its transaction',
      says: 'Leads to the digest of all entries.',
    },
  ],
  [
    'header',
    {
      title: 'Transaction to hash',
      says: 'From number, time, entries and the transaction before.',
    },
  ],
  [
    'link',
    {
      title: 'Hash in the trusted history',
      says: 'In one history with the trusted state.',
      unchecked: 'First contact: nothing was known before.',
    },
  ],
  [
    'signature',
    {
      title: 'Signature',
      says: 'Signed with the pinned key.',
      unchecked: 'No key is pinned.',
    },
  ],
  ['context', { title: 'What this browser knows', says: 'This browser can read its record.' }],
  ['request', { title: 'What was asked for', says: 'The answer is about what was asked for.' }],
  ['answer', { title: 'Form of the answer', says: 'The answer has all parts of a proof.' }],
  ['content', { title: 'Reading the content', says: 'The proven bytes can be read.' }],
])

/** The same where the proof and what it is compared with come from a file. */
const stepsOfFile: ReadonlyMap<string, StepWords> = new Map([
  [
    'value',
    {
      title: 'Content to digest',
      says: 'Key and content in the file give the digest of the entry.',
    },
  ],
  [
    'entry',
    {
      title: 'Digest in its transaction',
      says: 'The digest leads to the one of all entries in the file.',
    },
  ],
  [
    'header',
    {
      title: 'Transaction to hash',
      says: 'Number, time, entries and the transaction before, as in the file, give its hash.',
    },
  ],
  [
    'link',
    {
      title: 'Hash in the history of the file',
      says: 'The transaction and the trusted state in the file are in one history.',
      unchecked: 'The file has no trusted state.',
    },
  ],
  [
    'signature',
    {
      title: 'Signature',
      says: 'Signed with the key in the file.',
      unchecked: 'The file has no signing key.',
    },
  ],
  ['context', { title: 'What the file knew', says: 'The trusted state in the file can be read.' }],
  [
    'request',
    {
      title: 'What was asked for',
      says: 'The answer is about what the file says was asked for.',
    },
  ],
  [
    'answer',
    {
      title: 'Form of the answer',
      says: 'The answer in the file has all parts of a proof.',
    },
  ],
  [
    'content',
    {
      title: 'Reading the content',
      says: 'The bytes in the file can be read.',
    },
  ],
])

/** The same for the evidence of an audit, which usually holds its last transactions. */
const stepsOfAudit: ReadonlyMap<string, StepWords> = new Map([
  [
    'entry',
    {
      title: 'Transactions in the file',
      says: 'Each continues from the one before and matches its entries.',
    },
  ],
  [
    'link',
    {
      title: 'End of the audit',
      says: 'The last transaction in the file is the trusted state in the file.',
      unchecked: 'The file has no trusted state.',
    },
  ],
])

/** The same for a fork. */
const stepsOfFork: ReadonlyMap<string, StepWords> = new Map([
  [
    'header',
    {
      title: 'Two transactions of one number',
      says: 'The two headers continue the same transaction and have different hashes.',
    },
  ],
  [
    'link',
    {
      title: 'Each in its own history',
      says: 'A proof links each of the two to the state of its own side.',
    },
  ],
  [
    'signature',
    {
      title: 'Signatures',
      says: 'Both states are signed with the keys in the file.',
      unchecked: 'Not both states are signed.',
    },
  ],
])

/** What a step is called, and what it says, in the certificate of a fork. */
export function stepWordsOfFork(name: string): StepWords {
  return stepsOfFork.get(name) ?? stepWordsOfFile(name)
}

/** What a step of a proof in a file of evidence is called, and what it says. */
export function stepWordsOfFile(name: string): StepWords {
  return stepsOfFile.get(name) ?? stepWords(name)
}

/** What a step is called, and what it says, in the evidence of an audit. */
export function stepWordsOfAudit(name: string): StepWords {
  return stepsOfAudit.get(name) ?? stepWordsOfFile(name)
}

export function stepWords(name: string): StepWords {
  return steps.get(name) ?? { title: name, says: '' }
}

const inputs: ReadonlyMap<string, string> = new Map([
  ['key', 'Stored key'],
  ['metadata', 'Flags'],
  ['valueHash', 'SHA-256 of the value'],
  ['version', 'Version'],
  ['digest', 'Digest of the entry'],
  ['leaf', 'Place'],
  ['width', 'Entries in the transaction'],
  ['terms', 'Hashes on the way'],
  ['id', 'Transaction'],
  ['prevAlh', 'Hash of the transaction before'],
  ['ts', 'Time, seconds since 1970'],
  ['nentries', 'Entries'],
  ['eH', 'Digest of all entries'],
  ['blTxId', 'Transactions in the tree'],
  ['blRoot', 'Root of the tree'],
  ['truncatedTxID', 'Truncated up to'],
  ['extra', 'Extra'],
  ['trustedTxId', 'Trusted transaction'],
  ['sourceTxId', 'Proof from transaction'],
  ['targetTxId', 'Proof to transaction'],
  ['txId', 'Transaction'],
  ['txHash', 'Hash of the transaction'],
  ['db', 'Database'],
  ['publicKey', 'Public key'],
  ['signature', 'Signature'],
  ['entries', 'Entries'],
  ['transactions', 'Transactions'],
  ['size', 'Bytes'],
  ['sent', 'Entries as sent'],
  ['first', 'Hash on the first side'],
  ['second', 'Hash on the second side'],
  ['firstState', 'State of the first side'],
  ['secondState', 'State of the second side'],
  ['firstKey', 'Key of the first side'],
  ['secondKey', 'Key of the second side'],
])

/** The name of an input of a step. */
export function inputName(name: string): string {
  return inputs.get(name) ?? name
}

type Limits = { proves: string; not: readonly string[] }

const history = (what: string) => `Exactly ${what}, in the trusted history.`

const newer = 'that it is the newest or still there'
const times = 'the time: the server chose it'
const before = 'anything before the first contact'
const page = 'that this page is honest: the server sent it'

const limits: Readonly<Record<string, Limits>> = {
  row: {
    proves: history('these values, under this primary key, in this transaction'),
    not: [
      newer,
      'complete results, or that rows match the condition',
      'names of table and columns, unless read from the history',
      times,
      before,
      page,
    ],
  },
  get: {
    proves: history('this value, under this key, in this transaction'),
    not: [newer, 'that another key does not exist', times, before, page],
  },
  tx: {
    proves: history('these entries, in this order, in this transaction'),
    not: ['that what was written is true', times, before, page],
  },
  header: {
    proves: history('this header of this transaction'),
    not: ['the entries: the answer did not give them', times, before, page],
  },
  document: {
    proves: history('this document, under this id, in this transaction'),
    not: [newer, 'the name of the collection, unless read from the history', times, before, page],
  },
}

const limitsOfWrites: Limits = {
  proves: history('what was sent, in this transaction'),
  not: ['that it stays the newest', times, before, page],
}

const limitsOfStates: Limits = {
  proves: 'The history up to this transaction contains the trusted state of before.',
  not: ['single values', 'that everyone is shown the same history', before, page],
}

/** What a proof of a kind says and what it does not, in plain words. */
export function limitsOf(kind: string): Limits {
  return limits[kind] ?? (kind === 'write' ? limitsOfWrites : limitsOfStates)
}
