/** Why an answer is not shown as verified, for operators. */
export type ReasonWords = {
  /** What happened, a sentence. */
  what: string
  /** What it means. */
  means: string
  /** What to do now. */
  todo: string
}

const keep = 'Save the evidence before you do anything else.'
const compare =
  'Compare the transaction and its hash with somebody who noted them down, and look into the logs of the server.'
const broken = `${keep} ${compare}`
const notProven =
  'Something between the stored data and this page is not as it was: the data, the server, or a proxy on the way.'

const reasons: ReadonlyMap<string, ReasonWords> = new Map([
  [
    'malformed',
    {
      what: 'The answer cannot be read as a proof.',
      means:
        'A part is missing, too long, too short, or does not belong there. A server that works as it should sends no such answer; a proxy that changes answers may.',
      todo: keep,
    },
  ],
  [
    'wrong-database',
    {
      what: 'The answer is about another database.',
      means: 'It may be a correct proof, of something that was not asked for.',
      todo: broken,
    },
  ],
  [
    'rolled-back',
    {
      what: 'The history is shorter than it was.',
      means:
        'The server no longer has a transaction that this browser has seen. An older copy of the data was put in its place, or transactions were removed.',
      todo: `${keep} If a backup was restored on purpose, note that everything behind its last transaction is gone, and then forget the trusted point.`,
    },
  ],
  [
    'history-changed',
    {
      what: 'A transaction that this browser has seen has another hash now.',
      means:
        'The history was rewritten, or the server went back to an older copy of the data and wrote on from there.',
      todo: broken,
    },
  ],
  [
    'not-anchored',
    {
      what: 'The proof does not start from what this browser knows.',
      means:
        'It proves something, but not that the transaction belongs to the history which this browser follows.',
      todo: broken,
    },
  ],
  [
    'signature',
    {
      what: 'The state is not signed with the pinned key.',
      means:
        'The signature is missing, wrong, or made with another key. Another server may be answering in its place.',
      todo: `${keep} If the signing key was exchanged on purpose, have its fingerprint confirmed by another way and pin the new one.`,
    },
  ],
  [
    'dual-proof',
    {
      what: 'The transaction is not linked to the history this browser follows.',
      means:
        'The hashes that should lead from one to the other do not. It is part of another history.',
      todo: broken,
    },
  ],
  [
    'tx-mismatch',
    {
      what: 'The transaction that came with the proof is not the proven one.',
      means: `Its header or its list of entries was changed on the way or where it is stored. ${notProven}`,
      todo: broken,
    },
  ],
  [
    'value-mismatch',
    {
      what: 'A value is not the one that was committed.',
      means: `Its digest is not the one in the transaction. ${notProven}`,
      todo: broken,
    },
  ],
  [
    'entry-not-included',
    {
      what: 'This content is not in the transaction.',
      means: `Its digest does not lead to the hash of the transaction. ${notProven}`,
      todo: broken,
    },
  ],
  [
    'answer-mismatch',
    {
      what: 'The answer is about something else than was asked for.',
      means: 'The proof may be correct, but it is of another key, row, document or transaction.',
      todo: broken,
    },
  ],
  [
    'schema-changed',
    {
      what: 'The table is not described as it was when this browser first saw it.',
      means:
        'The row itself is proven, the names and types of its columns are not. Somebody altered the table, or the server gives the columns other names than before.',
      todo: 'If you know of the change, accept the new description. A deep audit derives it from the proven history.',
    },
  ],
  [
    'row-encoding',
    {
      what: 'The proven bytes are not a row of this table.',
      means:
        'They cannot be read with the columns that the server describes. The description does not fit what is stored.',
      todo: broken,
    },
  ],
  [
    'document-encoding',
    {
      what: 'The proven bytes are not a document of this collection.',
      means: 'They cannot be read as one. The description does not fit what is stored.',
      todo: broken,
    },
  ],
  [
    'audit',
    {
      what: 'The transactions do not make up the history this browser follows.',
      means: 'One of them is missing, surplus, or not what it was.',
      todo: broken,
    },
  ],
  [
    'other-server',
    {
      what: 'Another server answers at this address.',
      means:
        'It calls itself by another identity than the one whose history this browser follows. What it says proves nothing about the old one.',
      todo: 'Find out whether the server was replaced on purpose. If it was, its history starts anew with a first contact.',
    },
  ],
])

const refused: ReasonWords = {
  what: 'The answer was refused.',
  means: notProven,
  todo: broken,
}

/** Codes that are other names, or finer ones, of what has the same words. */
const sameAs: ReadonlyMap<string, string> = new Map([
  ['linear-proof', 'dual-proof'],
  ['linear-advance-proof', 'dual-proof'],
])

/** What a refusal's code says to people; codes nobody knows have general words. */
export function reasonWords(code: string): ReasonWords {
  return reasons.get(code) ?? reasons.get(sameAs.get(code) ?? '') ?? refused
}

/** A rung of the proof: what was checked, and what it means when it holds. */
export type RungWords = { title: string; says: string; unchecked?: string }

const rungs: ReadonlyMap<string, RungWords> = new Map([
  [
    'value',
    {
      title: 'Content to digest',
      says: 'This browser made the digest of the entry from its key and its content.',
    },
  ],
  [
    'entry',
    {
      title: 'Digest in its transaction',
      says: 'The digest leads, hash by hash, to the one that the transaction has for all its entries.',
    },
  ],
  [
    'header',
    {
      title: 'Transaction to hash',
      says: 'Number, time, entries and the transaction before it together give the hash of the transaction.',
    },
  ],
  [
    'link',
    {
      title: 'Hash in the trusted history',
      says: 'The transaction and the one this browser trusts are part of one history that was only added to.',
      unchecked: 'Nothing was known before, so there is nothing to compare with: a first contact.',
    },
  ],
  [
    'signature',
    {
      title: 'Signature',
      says: 'The server signed this state with the key that is pinned in this browser.',
      unchecked: 'No signing key is pinned in this browser, so there is nothing to compare with.',
    },
  ],
  [
    'context',
    { title: 'What this browser knows', says: 'The record kept in this browser can be read.' },
  ],
  [
    'request',
    { title: 'What was asked for', says: 'The answer is about exactly what was asked for.' },
  ],
  ['answer', { title: 'Form of the answer', says: 'The answer has every part a proof must have.' }],
  ['content', { title: 'Reading the content', says: 'The proven bytes are what they should be.' }],
])

/** The five rungs in the order in which they are climbed. */
export const rungOrder = ['value', 'entry', 'header', 'link', 'signature'] as const

export function rungWords(name: string): RungWords {
  return rungs.get(name) ?? { title: name, says: '' }
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
])

/** What an input of a rung is called. */
export function inputName(name: string): string {
  return inputs.get(name) ?? name
}

type Limits = { proves: string; not: readonly string[] }

const history = (what: string) =>
  `Exactly ${what}, and this transaction belongs to the history that this browser follows. Nothing up to the trusted point was rewritten, inserted or removed.`

const newer = 'that it is the newest, or still there: a later transaction may have changed it'
const times = 'that the time is right: the server wrote it when it committed'
const before = 'that the server was honest before this browser first met it'
const page =
  'that this page is honest: it came from the server that it verifies. The same page opened from elsewhere, or the saved evidence, does not depend on it'

const limits: Readonly<Record<string, Limits>> = {
  row: {
    proves: history('these values were committed under this primary key in this transaction'),
    not: [
      newer,
      'that a result is complete, or that its rows match the condition',
      'the names of the columns, beyond that they are as this browser first saw them',
      times,
      before,
      page,
    ],
  },
  get: {
    proves: history('this value was committed under this key in this transaction'),
    not: [newer, 'that another key does not exist', times, before, page],
  },
  tx: {
    proves: history('these entries, all of them and in this order, make up the transaction'),
    not: ['that what was written is true', times, before, page],
  },
  header: {
    proves: history('this header, with the number of its entries, is that of the transaction'),
    not: ['anything about the entries: the answer did not give them', times, before, page],
  },
  document: {
    proves: history('this document was committed under this id in this transaction'),
    not: [newer, 'the name of the collection', times, before, page],
  },
}

const limitsOfWrites: Limits = {
  proves: history('what was sent was committed in this transaction'),
  not: ['that it stays the newest', times, before, page],
}

const limitsOfStates: Limits = {
  proves: 'The history up to this transaction contains the one this browser trusted before.',
  not: ['anything about single values', 'that nobody is shown another history', before, page],
}

/** What a proof of a kind says and what it does not, in plain words. */
export function limitsOf(kind: string): Limits {
  return limits[kind] ?? (kind === 'write' ? limitsOfWrites : limitsOfStates)
}
