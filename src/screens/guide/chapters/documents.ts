import { type Chapter, list, note, table } from '../guide'

export const documents: Chapter = {
  id: 'doc',
  title: 'Documents',
  intro: 'JSON objects in collections. The server makes their ids.',
  sections: [
    {
      id: 'doc-collections',
      title: 'Collections',
      blocks: [
        '*New collection* on [Documents](/documents) takes a name, the field for the ids, and fields to search by, such as `address.city`. Documents may have any other field.',
        '*Structure* changes fields and indexes:',
        list(
          'A search by a new field finds only documents written since.',
          'After the id field is renamed, older documents keep the old one. They are still found and proven.',
          'Deleting a collection hides its documents; the transactions stay.',
        ),
      ],
    },
    {
      id: 'doc-search',
      title: 'Searching',
      blocks: [
        'A search needs a session. The login opens it if the database has collections; otherwise the console asks for the password once in each tab, and does not keep it. The session outlives a reload. It ends when you log out, lock the console, or do nothing for an hour.',
        '*Search…* builds comparisons that must all hold, *Or…* adds alternatives. Links carry them.',
        table(
          ['Operator', 'Finds'],
          ['=, ≠, <, ≤, >, ≥', 'Values by type'],
          ['is one of, is between', 'One of several values; a range with both ends'],
          [
            'contains, starts with',
            'Text as typed. *contains*: ASCII only; misses texts with a line break.',
          ],
          [
            'is like, is not like',
            'A pattern: `%` is any text, `_` one character; neither a line break',
          ],
          ['is NULL, is not NULL', 'Documents without or with the field'],
        ),
      ],
    },
    {
      id: 'doc-write',
      title: 'Writing',
      blocks: [
        '*Edit* replaces the whole document. The console first looks whether yours is still the newest; the server checks nothing. So a change in the last moment is overwritten, and stays in the history.',
        note(
          'immudb stores numbers as doubles: whole numbers are exact up to 2^53. The form names those that would change. Quotes keep every digit.',
        ),
        'A deleted document does not come back under its id.',
      ],
    },
    {
      id: 'doc-files',
      title: 'Files',
      blocks: [
        '*Export* saves all that the search finds as NDJSON, and says whether the file is complete.',
        '*Import NDJSON* takes a document in each line, or a JSON array, up to 128 MiB.',
        list(
          'First it checks the whole file. What cannot be imported can be left out; what would be stored otherwise is listed.',
          'Each transaction inserts up to 500 documents.',
          'If it stops, it says which lines are committed, not committed, or unknown. Choose the same file again to continue, also after a reload or a log-out.',
        ),
      ],
    },
    {
      id: 'doc-past',
      title: 'Looking back',
      blocks: [
        '[As of](#time-console) an earlier moment, the list is read from the transactions up to it.',
      ],
    },
    {
      id: 'doc-limits',
      title: 'Limits',
      blocks: [
        list(
          'Documents over about 4 MiB can be written, not read over HTTP. Their revisions are listed.',
          'Names: A–Z, digits, `_`, `-`; of fields also `.`.',
          'An index has at most 8 fields. A unique one needs a collection that never had a document.',
          'SQL does not see collections.',
        ),
      ],
    },
  ],
}
