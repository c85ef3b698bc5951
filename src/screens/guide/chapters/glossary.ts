import type { Chapter, Term } from '../guide'

const terms: readonly Term[] = [
  {
    term: 'Admin',
    text: 'The permission to manage a database and its users. See [Permissions](#users-levels).',
  },
  {
    term: 'Audit',
    text: 'Reading and recalculating every transaction from the first to the trusted state. Also, with `immudb --audit-log`, the server’s record of calls.',
  },
  { term: 'Compact', text: 'To rewrite the index without nodes that are no longer read.' },
  {
    term: 'Consistency proof',
    text: 'Hashes which show that a later state only adds to an earlier one.',
  },
  {
    term: 'Database',
    text: 'Tables, keys and documents with their own history. `defaultdb` is there from the beginning.',
  },
  {
    term: 'Entry',
    text: 'One part of a transaction: a key with a value, a row, or a line of an index.',
  },
  { term: 'Flush', text: 'To write the part of the index that is in memory to disk.' },
  {
    term: 'Fork',
    text: 'Two histories that are the same up to a transaction and differ after it.',
  },
  {
    term: 'Hash',
    text: 'A fingerprint of 32 bytes. The same content always gives the same one, and no two contents with the same one are known.',
  },
  { term: 'Inclusion proof', text: 'Hashes which show that an entry belongs to a transaction.' },
  {
    term: 'Index',
    text: 'What the server uses to find keys and rows. It keeps one itself; `CREATE INDEX` adds others.',
  },
  {
    term: 'Key',
    text: 'The name under which a value is stored. Also, in SQL, the columns that tell rows apart.',
  },
  { term: 'Metrics', text: 'Figures that the server offers on a separate port.' },
  { term: 'Permission', text: 'What a user may do on a database: Read, Read & write, or Admin.' },
  { term: 'Prefix', text: 'The beginning of a key.' },
  { term: 'Privilege', text: 'What a user may do in SQL, besides the permission.' },
  { term: 'Reference', text: 'A key that leads to another key.' },
  {
    term: 'Replica',
    text: 'A database that follows another one, its primary, and cannot be written to.',
  },
  { term: 'Retention', text: 'How long values are kept before truncation deletes them.' },
  { term: 'Revision', text: 'One version of a key, row or document, counted from 1.' },
  {
    term: 'State',
    text: 'Number and hash of the newest transaction; it stands for the whole history.',
  },
  { term: 'System admin', text: 'The user `immudb`, who has every permission.' },
  {
    term: 'Token',
    text: 'What the browser gets at login, so that not every call needs the password.',
  },
  { term: 'Transaction', text: 'A numbered step of the history; tx for short.' },
  {
    term: 'Truncate',
    text: 'Of a database: to delete old values for ever. Of a table, in SQL: to remove all its rows.',
  },
  { term: 'Upsert', text: 'To add a row, or replace the one with the same key.' },
  { term: 'Value', text: 'The bytes stored under a key.' },
]

export const glossary: Chapter = {
  id: 'glossary',
  title: 'Glossary',
  intro: 'Words of this guide and of the console.',
  sections: [{ id: 'glossary-terms', title: 'Terms', blocks: [{ kind: 'terms', terms }] }],
}
