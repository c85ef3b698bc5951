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
  'Compare the transaction and its hash with ones that someone else noted, and look into the logs of the server.'
const broken = `${keep} ${compare}`
const notProven =
  'Something between the stored data and this page has changed: the data, the server, or a proxy on the way.'

const reasons: ReadonlyMap<string, ReasonWords> = new Map([
  [
    'malformed',
    {
      what: 'The answer cannot be read as a proof.',
      means:
        'A server that works correctly sends no such answer. A proxy that changes answers may.',
      todo: keep,
    },
  ],
  [
    'wrong-database',
    {
      what: 'The answer is about another database.',
      means: 'It may be a correct proof of something else.',
      todo: broken,
    },
  ],
  [
    'rolled-back',
    {
      what: 'The history is shorter than this browser recorded it.',
      means:
        'An older copy of the data may be in its place. If you imported the recorded state, it may be of another copy.',
      todo: `${keep} If you know that a backup was restored, forget the trusted state. Everything after the last transaction of the backup is gone.`,
    },
  ],
  [
    'history-changed',
    {
      what: 'A transaction that this browser recorded has another hash.',
      means:
        'The history was changed, an older copy of the data was restored and written to since, or the answer was changed on its way.',
      todo: broken,
    },
  ],
  [
    'not-anchored',
    {
      what: 'The proof does not start from what this browser knows.',
      means: 'It does not show that the transaction belongs to the history of the trusted state.',
      todo: broken,
    },
  ],
  [
    'signature',
    {
      what: 'The state is not signed with the pinned key.',
      means:
        'The signature is missing, wrong, or made with another key. Another server may be answering in its place.',
      todo: `${keep} If the signing key was exchanged on purpose, confirm the new fingerprint another way and pin the new key.`,
    },
  ],
  [
    'duplicate-key',
    {
      what: 'The transaction has two entries with the same key.',
      means: 'A server that works correctly writes no such transaction. Neither entry is proven.',
      todo: broken,
    },
  ],
  [
    'dual-proof',
    {
      what: 'The transaction is not linked to the trusted state.',
      means: 'It is part of another history, or the proof was changed.',
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
      what: 'A value does not fit its transaction.',
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
      what: 'The answer is about something other than what was asked for.',
      means: 'The proof may be correct, but it is of another key, row, document or transaction.',
      todo: broken,
    },
  ],
  [
    'schema-changed',
    {
      what: 'The table is not described as this browser recorded it.',
      means:
        'The proof of the row holds, but does not cover names and types of columns. The table was altered, or the server names the columns differently.',
      todo: 'If you know of the change, accept the new description. A deep audit that reads the values derives it from the history.',
    },
  ],
  [
    'older-form',
    {
      what: 'The server described the table in full before, and does not now.',
      means:
        'The answer has the form of immudb 1.5 and older, from which a row cannot be checked. A server that has left this form does not go back to it, unless an older version was installed in its place.',
      todo: 'Find out which version of immudb answers here, and why. If nobody installed an older one, look into the server and what is on the way to it.',
    },
  ],
  [
    'row-encoding',
    {
      what: 'The proven bytes are not a row of this table.',
      means: 'The server’s description of the columns does not fit what is stored.',
      todo: broken,
    },
  ],
  [
    'document-encoding',
    {
      what: 'The proven bytes are not a document of this collection.',
      means: 'The description does not fit what is stored.',
      todo: broken,
    },
  ],
  [
    'audit',
    {
      what: 'The transactions do not make up the history of the trusted state.',
      means: 'One of them is missing, was inserted, or was changed.',
      todo: broken,
    },
  ],
  [
    'no-fork',
    {
      what: 'The two transactions do not show a fork.',
      means:
        'They are the same, continue different transactions, or are of databases with two names.',
      todo: 'Compare the histories of the two servers again.',
    },
  ],
  [
    'other-server',
    {
      what: 'Another server answers at this address.',
      means: 'What it says proves nothing about the server whose history this browser follows.',
      todo: 'Find out whether the server was replaced on purpose.',
    },
  ],
])

const refused: ReasonWords = {
  what: 'The answer was refused.',
  means: notProven,
  todo: broken,
}

/** Codes that share the words of another code. */
const sameAs: ReadonlyMap<string, string> = new Map([
  ['linear-proof', 'dual-proof'],
  ['linear-advance-proof', 'dual-proof'],
])

/** The words for the code of a refusal; general ones for an unknown code. */
export function reasonWords(code: string): ReasonWords {
  return reasons.get(code) ?? reasons.get(sameAs.get(code) ?? '') ?? refused
}
