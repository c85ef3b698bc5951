/** Words for what a file of evidence shows and what it cannot show. This file is data. */

export type VerdictWords = { title: string; text: string }

const verdictWords: Readonly<Record<string, VerdictWords>> = {
  whole: {
    title: 'Verified in this browser',
    text: 'Every step holds, and this browser keeps the same trusted state or pinned the key that signed it. The content is exactly what was committed.',
  },
  open: {
    title: 'Verified in part',
    text: 'Every step holds, and this browser knows the history. What is open is listed below.',
  },
  file: {
    title: 'Consistent in itself',
    text: 'Every step fits the others. Whether it is this server’s history depends on the trusted state in the file: compare it with one you know.',
  },
  first: {
    title: 'Consistent in itself, and no more',
    text: 'The parts fit each other. The file has no trusted state to compare with.',
  },
  'file-newer': {
    title: 'It continues from the trusted state, and no more',
    text: 'The content is newer than the trusted state in the file. Anyone who has the history up to there can make up what follows.',
  },
  'other-key': {
    title: 'Signed with another key than the one pinned here',
    text: 'The server changed its key, one key is wrong, or the file is from another server. Compare both fingerprints with the operator’s.',
  },
  other: {
    title: 'The file contradicts what this browser keeps',
    text: 'This browser keeps another hash for the same transaction. At least one is not the true history.',
  },
  broken: {
    title: 'This browser found the history of this database broken',
    text: 'The proof in the file fits, but something else was found wrong in that history. Open the database and choose “Resolve…” in the red bar.',
  },
  redescribed: {
    title: 'The table or collection is described differently from before',
    text: 'So its content was not read. The change may be legitimate.',
  },
  refused: {
    title: 'The proof in this file fails',
    text: 'This browser refuses it at the same step as the file says.',
  },
  altered: {
    title: 'This file says something different from its proof',
    text: 'It was changed after it was saved, or another program or version wrote it.',
  },
  none: {
    title: 'Nothing in this file can be verified',
    text: 'The file holds no proof, or none that ties the content to a trusted state.',
  },
}

/** The same where the reader of a page without records gave what a file was compared with. */
const givenWords: Readonly<Record<string, VerdictWords>> = {
  whole: {
    title: 'Verified against what you gave',
    text: 'Every step holds, and you gave the same trusted state or the key that signed it. The content is exactly what was committed.',
  },
  open: {
    title: 'Verified in part',
    text: 'Every step holds, and what you gave vouches for the history. What is open is listed below.',
  },
  file: {
    title: 'Consistent in itself',
    text: 'Every step fits the others. Anyone can make up such a file: compare it with a trusted state or key that reached you another way.',
  },
  'other-key': {
    title: 'Signed with another key than the one you gave',
    text: 'The server changed its key, one key is wrong, or the file is from another server. Compare both fingerprints with the operator’s.',
  },
  other: {
    title: 'The file contradicts the state you gave',
    text: 'You gave another hash for the same transaction. At least one is not the true history, or the two are of different databases.',
  },
}

/**
 * What a file shows, by the cause of its verdict.
 * @param isGiven it was compared with what the reader gave, not with what this browser keeps
 */
export function evidenceWords(cause: string, isGiven = false): VerdictWords {
  const words = (isGiven ? givenWords[cause] : undefined) ?? verdictWords[cause]
  return words ?? { title: 'Nothing in this file can be verified', text: '' }
}

/** Who is bound by the states of a fork. */
type ForkKeys = 'one-key' | 'two-keys' | 'one-side' | 'unsigned'

/** Who is bound by a fork: the holders of the keys that signed its two states. */
export function forkKeysOf([first, second]: readonly [string | null, string | null]): ForkKeys {
  if (first === null && second === null) return 'unsigned'
  if (first === null || second === null) return 'one-side'
  return first === second ? 'one-key' : 'two-keys'
}

const convicted: Readonly<Record<ForkKeys, string>> = {
  'one-key':
    'One key signed both states. That can be right: the database was made again or restored, or servers share the key.',
  'two-keys':
    'Each state is signed with its own key, so the holder of each key is bound to that history.',
  'one-side':
    'Only one of the two states is signed, and only the holder of that key is bound by it. The other is as recorded.',
  unsigned:
    'Neither state is signed. The file shows what was recorded, and anyone can make one up.',
}

const forkTexts: Readonly<Record<string, VerdictWords>> = {
  broken: {
    title: 'Forked: this browser knows both histories',
    text: 'This browser keeps both states, or pinned the keys that signed them. It calculated that they belong to two histories.',
  },
  file: {
    title: 'The two states in this file belong to two histories',
    text: 'Calculated from the file alone. This browser does not know both states, so they may not be of real servers.',
  },
}

const givenForkTexts: Readonly<Record<string, VerdictWords>> = {
  broken: {
    title: 'Forked: you gave both histories',
    text: 'You gave both states, or the keys that signed them. They belong to two histories.',
  },
  file: {
    title: 'The two states in this file belong to two histories',
    text: 'Calculated from the file alone. What you gave does not vouch for both, so they may not be of real servers.',
  },
}

const apart: VerdictWords = {
  title: 'Two separate histories',
  text: 'They have no transaction in common. That is normal for databases that never copied each other.',
}

/**
 * What a certificate of a fork shows, by the cause of its verdict.
 * @param of whether the two histories have no transaction in common; `isGiven` as `evidenceWords`
 */
export function forkWords(
  cause: string,
  keys: ForkKeys,
  of: { isApart?: boolean; isGiven?: boolean } = {},
): VerdictWords {
  const { isApart = false, isGiven = false } = of
  if (isApart && cause === 'file') return apart
  const words = (isGiven ? givenForkTexts : forkTexts)[cause]
  return words
    ? { ...words, text: `${words.text} ${convicted[keys]}` }
    : evidenceWords(cause, isGiven)
}

/** What is known of a side of a fork: of its state, and of its key. */
export function sideWords(own: string, key: string, isGiven = false): string {
  return isGiven
    ? `${givenOfSide[own] ?? ''} ${givenKeyWords[key] ?? ''}`
    : `${ownOfSide[own] ?? ''} ${keyOfSide[key] ?? ''}`
}

const givenOfSide: Readonly<Record<string, string>> = {
  same: 'The same state.',
  different: 'Another hash for one of these transactions.',
  apart: 'Another transaction.',
  none: 'No state of this database.',
}

/** How the signing key of a file compares with the one that is known for its server. */
export function ownKeyWords(key: string, isGiven = false): string {
  return (isGiven ? givenKeyWords : pinnedKeyWords)[key] ?? ''
}

const pinnedKeyWords: Readonly<Record<string, string>> = {
  same: 'The same key is pinned in this browser for that server.',
  different: 'This browser pinned another key for that server.',
  missing: 'This browser pinned a key for that server, and the file has none.',
  none: 'This browser pinned no key for that server.',
  unread: 'The key that this browser pinned for that server cannot be read here.',
}

const givenKeyWords: Readonly<Record<string, string>> = {
  same: 'You gave the same key.',
  different: 'You gave another key.',
  missing: 'You gave a key, and nothing here was checked with one.',
  none: 'You gave no key.',
}

const ownOfSide: Readonly<Record<string, string>> = {
  same: 'It keeps the same state.',
  different: 'It keeps another hash for one of these transactions.',
  apart: 'It keeps another transaction of this database.',
  none: 'It keeps nothing of this database at this address.',
}

const keyOfSide: Readonly<Record<string, string>> = {
  same: 'The same key is pinned for it.',
  different: 'Another key is pinned for it.',
  missing: 'A key is pinned for it, and this state is not signed.',
  none: 'No key is pinned for it.',
  unread: 'The key that is pinned for it cannot be read.',
}

/** What someone else still has to check, by the codes of the engine. */
const left: ReadonlyMap<string, string> = new Map([
  ['gave', 'That the server gave this answer: anyone can make up one that fails.'],
  [
    'point',
    'The trusted state: it is the file’s own. Compare it with one that reached you another way.',
  ],
  ['none', 'Whether this is the true history: the file has no trusted state.'],
  ['key', 'Whose signing key it is: compare its fingerprint with the operator’s.'],
  ['unsigned', 'Who answered. Nothing in this file was checked by a signature.'],
  ['newer', 'That the history continued like this: another continuation would fit, too.'],
  ['current', 'That the content is the newest, or still there.'],
  ['names', 'The names of the table and its columns: the server’s word.'],
  ['collection', 'The name of the collection: the proof has its number.'],
  ['entries', 'The entries of the transaction: they are not in the file.'],
  [
    'others',
    'The other entries of the transaction: another one with the same key cannot be ruled out.',
  ],
  [
    'tree',
    'The place of the transaction in the chain: it was found in the tree. A deep audit reads the chain.',
  ],
  ['values', 'Values that are not in the file: it has only their hashes.'],
  ['hidden', 'The value itself: it may hold a session ID, so the file has only its hash.'],
  ['target', 'The value behind the reference.'],
  ['audit', 'What the report says: anyone can write one. Repeat the audit on the database.'],
  ['sides', 'Which servers the two sides are: their names are words in the file.'],
  ['which', 'Which of the two histories is the true one.'],
  ['still', 'That the server still says so. No server was asked.'],
  ['words', 'The name, time, server and console in the file: words that nobody signed.'],
])

export function leftWords(code: string): string {
  return left.get(code) ?? code
}

/** How the trusted state of a file compares with what this browser keeps of the same database. */
const ownWords: Readonly<Record<string, VerdictWords>> = {
  same: {
    title: 'This browser has the same state',
    text: 'The same transaction has the same hash here.',
  },
  imported: {
    title: 'You imported the same state',
    text: 'No answer of the server has been compared with it yet.',
  },
  different: {
    title: 'This browser keeps another state',
    text: 'At least one of the two is not of the true history.',
  },
  apart: {
    title: 'This browser knows the database, but not this transaction',
    text: 'Its record is of another transaction. Only the server can link the two.',
  },
  none: {
    title: 'Nothing in this browser to compare with',
    text: 'It has no trusted state that could be compared with the one in the file.',
  },
}

const givenStateWords: Readonly<Record<string, VerdictWords>> = {
  same: {
    title: 'You gave the same state',
    text: 'The same transaction has the same hash.',
  },
  different: {
    title: 'You gave another state',
    text: 'One transaction has two hashes. At least one is not of the true history, or the two are of different databases.',
  },
  apart: {
    title: 'You gave a state of another transaction',
    text: 'This file cannot link the two. Only the server can.',
  },
  none: {
    title: 'Nothing to compare with',
    text: 'You gave no trusted state of this database.',
  },
}

export function ownStateWords(kind: string, isGiven = false): VerdictWords | null {
  return (isGiven ? givenStateWords : ownWords)[kind] ?? null
}
