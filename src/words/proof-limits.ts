type Limits = { proves: string; not: readonly string[] }

const history = (what: string) =>
  `Exactly ${what}, and this transaction belongs to the history of the trusted state.`

const newer = 'that it is the newest, or still there: a later transaction may have changed it'
const times = 'that the time is right: the server wrote it when it committed'
const before = 'that the server was honest before this browser had a trusted state of it'
const page =
  'that this page is honest: it came from the server that it verifies. The same page opened from elsewhere, or the saved evidence, does not depend on it'

const limits: Readonly<Record<string, Limits>> = {
  row: {
    proves: history('these values were committed under this primary key in this transaction'),
    not: [
      newer,
      'that a result is complete, or that its rows match the condition',
      'which table it is, and the names and types of its columns, unless a deep audit with values has confirmed them',
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
    not: [
      newer,
      'the name of the collection, unless a deep audit with values has confirmed it',
      times,
      before,
      page,
    ],
  },
}

const limitsOfWrites: Limits = {
  proves: history('what was sent was committed in this transaction'),
  not: ['that it stays the newest', times, before, page],
}

const limitsOfStates: Limits = {
  proves:
    'The history up to this transaction contains the trusted state that this browser had before.',
  not: ['anything about single values', 'that nobody is shown another history', before, page],
}

/** What a proof of a kind says and what it does not, in plain words. */
export function limitsOf(kind: string): Limits {
  return limits[kind] ?? (kind === 'write' ? limitsOfWrites : limitsOfStates)
}
