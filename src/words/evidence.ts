/** Words for what a file of evidence shows and what it cannot show. This file is data. */

export type VerdictWords = { title: string; text: string }

const verdictWords: Readonly<Record<string, VerdictWords>> = {
  whole: {
    title: 'Verified in this browser',
    text: 'This browser calculated every step again. It vouches for the history in the file. It keeps the same trusted state, or it pinned the key that signed the state. The content is exactly what was committed there.',
  },
  open: {
    title: 'Verified in part',
    text: 'This browser calculated every step again, and it vouches for the history in the file. What the proof leaves open is listed below.',
  },
  file: {
    title: 'Consistent in itself',
    text: 'Every step fits the others. Whether it is this server’s history depends on the trusted state in the file: compare it with one you know.',
  },
  first: {
    title: 'Consistent in itself, and no more',
    text: 'The file has no trusted state, so there is nothing to compare the content with. The parts of the answer fit each other.',
  },
  'file-newer': {
    title: 'It continues from the trusted state, and no more',
    text: 'The content below is newer than the trusted state in the file. Anyone who has the history up to that state can make up what follows it. So this shows only that the two fit each other. A trusted state that is not older than the content can show that it was committed.',
  },
  'other-key': {
    title: 'Signed with another key than the one pinned here',
    text: 'This browser pinned a signing key for the server that the file names, and the file has another one. The server changed its key, one of the two keys is wrong, or the file is not from that server. Compare both fingerprints with the one that its operator gives out.',
  },
  other: {
    title: 'The file contradicts what this browser keeps',
    text: 'For the same transaction of the same database, on the same server, this browser keeps another hash. At least one of the two is not the true history. Both hashes are below.',
  },
  broken: {
    title: 'This browser found the history of this database broken',
    text: 'The proof in the file fits. But something was found wrong since this browser recorded that history, and the alarm about it has not ended. Open the database and choose “Resolve…” in the red bar.',
  },
  redescribed: {
    title: 'The table or collection is described differently from before',
    text: 'The answer in this file describes it differently from what the file says was recorded. So its content was not read. The change may be legitimate.',
  },
  refused: {
    title: 'The proof in this file fails',
    text: 'This browser refuses it at the same step as the file says.',
  },
  altered: {
    title: 'This file says something different from its proof',
    text: 'The file was changed after it was saved, another program wrote it, or a version that checked less did.',
  },
  none: {
    title: 'Nothing in this file can be verified',
    text: 'The file holds no proof, or none that ties the content to a trusted state.',
  },
}

/** What a file shows, by the cause of its verdict. */
export function evidenceWords(cause: string): VerdictWords {
  return verdictWords[cause] ?? { title: 'Nothing in this file can be verified', text: '' }
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
    'One key signed both states, so its holder vouched for two histories of one name. That can be right if the database was made again, restored, or is on several servers that share the key.',
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
    text: 'This browser calculated it again from the file alone. It does not know both states, so it cannot tell whether they are of real servers.',
  },
}

const apart: VerdictWords = {
  title: 'Two histories of their own',
  text: 'The two states in this file have no transaction in common. That is normal for databases that never copied each other, and shows nothing against either server.',
}

/**
 * What a certificate of a fork shows, by the cause of its verdict.
 * @param isApart the two histories have no transaction in common
 */
export function forkWords(cause: string, keys: ForkKeys, isApart = false): VerdictWords {
  if (isApart && cause === 'file') return apart
  const words = forkTexts[cause]
  return words ? { ...words, text: `${words.text} ${convicted[keys]}` } : evidenceWords(cause)
}

/** What this browser knows of a side of a fork: of its state, and of its key. */
export function sideWords(own: string, key: string): string {
  return `${ownOfSide[own] ?? ''} ${keyOfSide[key] ?? ''}`
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
  [
    'gave',
    'That the server gave this answer. Anyone can make up an answer that fails; a file cannot show where it came from.',
  ],
  [
    'point',
    'Who vouches for the trusted state. It comes from the file itself: compare it with one that reached you another way.',
  ],
  ['none', 'Whether this is the true history. The file has no trusted state to compare it with.'],
  [
    'key',
    'Whose signing key it is. The key comes from the file: compare its fingerprint with the one that the operator of the server gives out.',
  ],
  ['unsigned', 'Who answered. Nothing in this file was checked by a signature.'],
  [
    'newer',
    'That the history really continued like this after the trusted state. Another continuation would fit it just as well.',
  ],
  [
    'current',
    'That the content is the newest, or still there. A later transaction may have changed it.',
  ],
  [
    'names',
    'The name of the table, and the names and types of its columns. They are as the server described it, which no proof covers.',
  ],
  ['collection', 'The name of the collection. The proof names it by number only.'],
  [
    'entries',
    'The entries of the transaction. The answer in the file did not give them, so nothing is said about what was written.',
  ],
  [
    'others',
    'The other entries of the transaction. The answer left them out, so another entry with the same key cannot be ruled out.',
  ],
  [
    'tree',
    'The place of the transaction in the chain. It was found in the tree over all transactions. A deep audit, and the check of every transaction as it arrives, read the chain as well.',
  ],
  ['values', 'Values of the transaction that are not in the file. It has only their hashes.'],
  [
    'hidden',
    'The value itself. The file has only its hash, because the value may hold a session ID. Anyone who may read the audit log can compare the two.',
  ],
  ['target', 'The value behind the reference. The file has the proof of the reference alone.'],
  [
    'audit',
    'What the report of the audit says: anyone can write one. Of the transactions outside the file, it gives only the hash of the last one. Repeat the audit on the database.',
  ],
  ['sides', 'Which servers the two sides are. Their names and addresses are words in the file.'],
  ['which', 'Which of the two histories is the true one. The file shows only where they part.'],
  ['still', 'That the server still says so. No server was asked.'],
  [
    'words',
    'The name in the file, and when, for which server and by which console it was saved. These are words in the file; nobody signed them.',
  ],
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
    text: 'The same transaction has the same hash here. No answer of the server has been compared with it yet.',
  },
  different: {
    title: 'This browser keeps another state',
    text: 'It has another hash for the same transaction of this database. At least one of the two is not of the true history.',
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

export function ownStateWords(kind: string): VerdictWords | null {
  return ownWords[kind] ?? null
}
