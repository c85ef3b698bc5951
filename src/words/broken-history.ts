import { reasonWords } from './refusal'

/** What is wrong with a history, for operators. */
type BreakWords = {
  /** Continues the sentence that begins with the name of the database. */
  title: string
  what: string
  /** What it means and what it does not. */
  means: string
  todo: string
}

const save = 'Save the evidence first.'
const compare =
  'Compare the trusted state with one that someone else noted, and look into the logs of the server.'

const words: ReadonlyMap<string, BreakWords> = new Map([
  [
    'rolled-back',
    {
      title: 'is shorter than recorded',
      what: 'The server does not have a transaction that this browser recorded.',
      means:
        'An older copy of the data may have replaced the newer one, or the database was deleted and created again under its name. If you imported the recorded state, it may be of another copy.',
      todo: `${save} If you know that a backup was restored, or that the database was created again, forget the trusted state. If not, find out what happened.`,
    },
  ],
  [
    'rewritten',
    {
      title: 'differs from what was recorded',
      what: 'The server has another hash for a transaction that this browser recorded.',
      means:
        'Something up to this transaction was changed, an older copy was restored and written to since, or the answer was changed on its way. If you imported the recorded state, it may be of another copy.',
      todo: `${save} ${compare}`,
    },
  ],
  [
    'forked',
    {
      title: 'does not continue what was recorded',
      what: 'The newer state is not proven to continue the history that this browser recorded.',
      means:
        'An older copy was restored and written to since, something before the recorded transaction was changed, or the proof was changed on its way.',
      todo: `${save} ${compare}`,
    },
  ],
  [
    'other-server',
    {
      title: 'is answered by another server',
      what: 'A server answered that was not known at this address.',
      means:
        'Its answers were not compared with what this browser recorded of other servers. Those trusted states are kept.',
      todo: 'Find out whether the server was replaced on purpose. If so, accept it. Each of its databases without a trusted state here begins with a first contact.',
    },
  ],
  [
    'unsigned',
    {
      title: 'is not signed',
      what: 'A signing key is pinned for this server, but its state came without a signature.',
      means:
        'The server was started without its key, another one answers, or the signature was removed on its way.',
      todo: `${save} If the server no longer signs on purpose, unpin its key on the Verify page. Then check once more.`,
    },
  ],
  [
    'foreign-signature',
    {
      title: 'is not signed with the pinned key',
      what: 'The state is signed, but not with the pinned key.',
      means:
        'The key of the server was exchanged, someone without it answers in its place, or the answer was changed on its way.',
      todo: `${save} If the key was exchanged, confirm the new fingerprint another way and pin the key on the Verify page. Then check once more.`,
    },
  ],
  [
    'malformed',
    {
      title: 'cannot be checked: the state is no valid answer',
      what: 'The server’s answer about its newest state, or the proof of it, is not valid.',
      means:
        'It came twice. A server that works correctly sends no such answer. Something on the way may have changed it.',
      todo: `${save} Check whether a proxy stands between this browser and the server, then check once more.`,
    },
  ],
  [
    'saved-audit',
    {
      title: 'does not fit a saved audit',
      what: 'A saved audit, or a saved check of new transactions, has another hash for this transaction than the trusted history.',
      means:
        'The server now shows another transaction there, or the saved record was changed in this browser. It was not continued.',
      todo: `${save} ${compare}`,
    },
  ],
  [
    'object',
    {
      title: 'gave a false proof',
      what: 'A proof was refused: something does not fit the history.',
      means:
        'The content, its transaction or the proof was changed: where it is stored, by the server, or on the way.',
      todo: `${save} ${compare}`,
    },
  ],
])

const other: BreakWords = {
  title: 'could not be proven',
  what: 'A proof was refused.',
  means: 'Something does not fit what this browser recorded.',
  todo: `${save} ${compare}`,
}

/** The words for a kind of finding; general ones for an unknown kind. */
export function breakWords(kind: string): BreakWords {
  return words.get(kind) ?? other
}

/**
 * The words for a finding, the same on every screen: by the reason of the refusal for the proof of
 * an object, by the kind for everything else.
 */
export function findingWords({ kind, reason }: { kind: string; reason: string }): BreakWords {
  const words = breakWords(kind)
  return kind === 'object' ? { title: words.title, ...reasonWords(reason) } : words
}
