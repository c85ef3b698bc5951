import type { NewEntry, OutputEntry } from '~/atoms/query/output-entry'

const plain: NewEntry = {
  stream: 'rows',
  status: 'done',
  database: 'defaultdb',
  line: 3,
  source: 'SELECT 1',
  sent: null,
  given: [],
  notes: [],
  tx: '7',
  timeTravel: true,
  at: null,
  timestamp: 1_000,
  sentAt: 1_000,
  elapsed: 5,
  result: null,
  paging: null,
  message: null,
  failure: null,
  txBefore: '6',
  tables: [],
  finding: null,
  warning: null,
}

/** A result to be appended, with what matters to the test. */
export function newEntry(of: Partial<NewEntry> = {}): NewEntry {
  return { ...plain, ...of }
}

/** A result as it stands in the output. */
export function outputEntry(of: Partial<OutputEntry> = {}): OutputEntry {
  return { ...plain, kind: 'entry', number: 1, ...of }
}
