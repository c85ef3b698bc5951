/** What is wrong with a history, for operators. */
export type BreakWords = {
  /** Goes on after the name of the database. */
  title: string
  what: string
  /** What it means and what it does not. */
  means: string
  todo: string
}

const save = 'Save the evidence first.'
const compare =
  'Compare the trusted state with someone who noted it down, and have the logs of the server looked into.'

const words: ReadonlyMap<string, BreakWords> = new Map([
  [
    'rolled-back',
    {
      title: 'was rolled back',
      what: 'The server no longer has a transaction that this browser recorded.',
      means:
        'An older copy of the data stands in the place of the newer one, or the database was deleted and made again under its name. What was written after it is missing.',
      todo: `${save} If a backup was restored on purpose, or the database made anew, forget the trusted state; otherwise find out who did it.`,
    },
  ],
  [
    'rewritten',
    {
      title: 'was rewritten',
      what: 'The transaction that this browser recorded has another hash now.',
      means:
        'The same number stands for other content: something up to this transaction was changed, or an older copy was restored and written on to the same length.',
      todo: `${save} ${compare}`,
    },
  ],
  [
    'forked',
    {
      title: 'does not go on from what was recorded',
      what: 'The newer history does not contain the one that this browser recorded.',
      means:
        'It is longer, but somewhere before the recorded transaction it is another one: an older copy was restored and written on from there, or the proof was changed on its way.',
      todo: `${save} ${compare}`,
    },
  ],
  [
    'other-server',
    {
      title: 'is answered by another server',
      what: 'The server at this address calls itself by another identity than before.',
      means:
        'Nothing of it was compared with what this browser recorded of the old one. The old trusted states are kept for when that one answers again.',
      todo: 'Find out whether the server was replaced on purpose. If so, accept it: its history then begins with a first contact.',
    },
  ],
  [
    'unsigned',
    {
      title: 'is not signed any more',
      what: 'A signing key is pinned for this server, but its state came without a signature.',
      means:
        'The server was started without its key, or another one answers in its place. The hashes alone say nothing about who does.',
      todo: `${save} If signing was given up on purpose, remove the pinned key on the Verify page; then check once more.`,
    },
  ],
  [
    'foreign-signature',
    {
      title: 'is signed with another key',
      what: 'The state is signed, but not with the key that is pinned in this browser.',
      means: 'The key of the server was exchanged, or somebody without it answers in its place.',
      todo: `${save} If the key was exchanged, have the new fingerprint confirmed by another way, pin it on the Verify page, and check once more.`,
    },
  ],
  [
    'malformed',
    {
      title: 'cannot be checked: the state is no valid answer',
      what: 'What the server says of its newest state, or its proof, cannot be read as what it should be.',
      means:
        'A server that works as it should sends no such answer, twice in a row; something on the way that changes answers may.',
      todo: `${save} See whether a proxy stands between this browser and the server, then check once more.`,
    },
  ],
  [
    'saved-audit',
    {
      title: 'does not fit its saved audit',
      what: 'The last audit read another hash for this transaction than the trusted state leads to.',
      means:
        'The server shows another transaction there than it showed to the audit, or the saved audit was changed in this browser. The audit was not continued.',
      todo: `${save} ${compare}`,
    },
  ],
  [
    'object',
    {
      title: 'gave a false proof',
      what: 'A proof was refused: something is not what the history holds.',
      means:
        'The content, its transaction or the proof was changed: where it is stored, by the server, or on the way.',
      todo: `${save} ${compare}`,
    },
  ],
])

const other: BreakWords = {
  title: 'could not be proven',
  what: 'A proof was refused.',
  means: 'Something is not as this browser recorded it.',
  todo: `${save} ${compare}`,
}

/** What a kind of finding says to people; a kind nobody knows has general words. */
export function breakWords(kind: string): BreakWords {
  return words.get(kind) ?? other
}

const steps: ReadonlyMap<string, string> = new Map([
  ['value', 'content to digest'],
  ['entry', 'digest in its transaction'],
  ['header', 'transaction to hash'],
  ['link', 'hash in the trusted history'],
  ['signature', 'signature'],
  ['request', 'what was asked for'],
  ['answer', 'form of the answer'],
  ['content', 'reading the content'],
])

/** The step of a proof at which it failed. */
export function stepWords(step: string): string {
  return steps.get(step) ?? step
}
