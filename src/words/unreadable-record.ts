/** A record that cannot be read: its store, and the parts of its key. */
export type LostRecord = {
  store: string
  key: string
  kind: 'damaged' | 'newer'
  /** When it was set aside; null while it is still in its place. */
  at?: number | null
}

export type UnreadableWords = {
  /** What it is, such as `The trusted state of orders`. */
  what: string
  /** What the console does without it. */
  without: string
  todo: string
}

type Words = {
  /** How many names make its key. */
  parts: number
  what: (names: readonly string[]) => string
  /** Without a damaged one, which is set aside, and without a newer one, which is left alone. */
  damaged: string
  newer: string
  /** What followed once a damaged one was set aside, if that is something else. */
  aside?: string
  todo: string
}

const words: ReadonlyMap<string, Words> = new Map<string, Words>([
  [
    'points',
    {
      parts: 3,
      what: ([, server, database]) => `The trusted state of ${database}${on(server)}`,
      damaged: 'The next check of this database is a first contact.',
      aside: 'The check after that was a first contact.',
      newer: 'This database is not checked here.',
      todo: 'Compare its state with one that someone else noted.',
    },
  ],
  [
    'servers',
    {
      parts: 1,
      what: ([origin]) => `The list of servers known at ${origin}`,
      damaged: 'The next server to answer there is taken as the first one, without a question.',
      aside: 'The next server to answer there was taken as the first one, without a question.',
      newer: 'No database at this address is checked here.',
      todo: 'Make sure that the server is the one you expect.',
    },
  ],
  [
    'keys',
    {
      parts: 2,
      what: ([, server]) => `The signing key pinned for ${server || 'a server without a name'}`,
      damaged: 'Nothing of this server is verified until you pin the key again or unpin it.',
      newer: 'No database of this server is checked here.',
      aside: 'You pinned a key again, or unpinned it.',
      todo: 'Open the tab Keys.',
    },
  ],
  [
    'audits',
    {
      parts: 3,
      what: ([, server, database]) => `The deep audit of ${database}${on(server)}`,
      damaged: 'Its progress is lost. Its report may be lost, too.',
      newer: 'Its progress and its report are not shown, and a new audit is not kept.',
      todo: 'Run the audit again.',
    },
  ],
  [
    'arrivals',
    {
      parts: 3,
      what: ([, server, database]) => `The check of new transactions of ${database}${on(server)}`,
      damaged: 'How far it had read is lost.',
      newer: 'How far it had read is not shown, and new progress is not kept.',
      todo: 'Look at the progress of the check, below the deep audit.',
    },
  ],
  [
    'incidents',
    {
      parts: 3,
      what: ([, server, database]) => `The incidents of ${database}${on(server)}`,
      damaged: 'Earlier incidents are not listed.',
      newer: 'They are not listed, and new ones are not recorded.',
      todo: 'Save the record: someone may still be able to read it.',
    },
  ],
  [
    'witnesses',
    {
      parts: 0,
      what: () => 'A pinned witness',
      damaged: 'Its checkpoints are not compared with anything.',
      newer: 'Its checkpoints are not compared with anything.',
      todo: 'Open the tab Witnesses and pin its key again.',
    },
  ],
  [
    'sightings',
    {
      parts: 4,
      what: ([witness = '', , server, database]) =>
        `What ${witness.split('+')[0]} has seen of ${database}${on(server)}`,
      damaged: 'What was proven of its checkpoints is lost.',
      newer: 'What was proven of its checkpoints is not shown, and nothing new is kept.',
      todo: 'Open the tab Witnesses and load its checkpoints again.',
    },
  ],
  [
    'log',
    {
      parts: 0,
      what: () => 'A line of the log',
      damaged: 'The log does not show it.',
      newer: 'The log does not show it.',
      todo: 'Save the record: someone may still be able to read it.',
    },
  ],
])

const other: Words = {
  parts: 0,
  what: () => 'A record',
  damaged: 'It is not used.',
  newer: 'It is not used.',
  todo: 'Save the record: someone may still be able to read it.',
}

const on = (server = '') => (server === '' ? '' : ` on server ${server}`)

/** What a record that cannot be read means for the operator. */
export function unreadableWords({ store, key, kind, at = null }: LostRecord): UnreadableWords {
  // The check of new transactions is stored beside the audits: its key ends in its name.
  const [, list = key, part = store] = /^(\[.*\]) (\w+)$/s.exec(key) ?? []
  const { parts, what, damaged, newer, aside, todo } = words.get(part) ?? other
  const names = store === 'servers' ? [key] : namesIn(list)
  const title = names.length < parts ? `A record (${store}) at ${key}` : what(names)
  if (kind === 'newer') return { what: title, without: newer, todo: 'Open the newer console.' }
  return { what: title, without: at === null ? damaged : (aside ?? damaged), todo }
}

/** The parts of a key, which is a JSON list; none for any other text. */
function namesIn(key: string): readonly string[] {
  try {
    const names: unknown = JSON.parse(key)
    return Array.isArray(names) ? names.map(String) : []
  } catch {
    return []
  }
}
