import type { Chapter, Term } from '../guide'

const terms: readonly Term[] = [
  {
    term: 'Audit',
    text: '[Every transaction read again](#verify-audit), or the [record of calls](#operate-audit-log).',
  },
  {
    term: 'Consistency proof',
    text: 'Hashes which show that a state only adds to an earlier one.',
  },
  { term: 'Entry', text: 'A key with a value, a row, or a line of an index in a transaction.' },
  { term: 'Fork', text: 'Two histories, equal up to a transaction and different after it.' },
  {
    term: 'Hash',
    text: 'A fingerprint of 32 bytes. No two contents with the same one are known.',
  },
  { term: 'Inclusion proof', text: 'Hashes which show that an entry belongs to a transaction.' },
  { term: 'Key', text: 'The name of a value; in SQL, columns that tell rows apart.' },
  { term: 'Replica', text: 'A read-only database that follows its primary.' },
  { term: 'Revision', text: 'A version of a key, row or document, from 1.' },
  { term: 'State', text: 'Number and hash of the newest transaction.' },
  { term: 'Token', text: 'What a login gives the browser instead of the password.' },
  { term: 'Transaction', text: 'A numbered step of the history; tx for short.' },
  {
    term: 'Truncate',
    text: 'A database: [old values](#operate-forget). A table: [all rows](#sql-alter).',
  },
]

export const glossary: Chapter = {
  id: 'glossary',
  title: 'Glossary',
  intro: 'Words of the console.',
  sections: [{ id: 'glossary-terms', title: 'Terms', blocks: [{ kind: 'terms', terms }] }],
}
