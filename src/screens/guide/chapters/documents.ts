import { type Chapter, list, note, table } from '../guide'

export const documents: Chapter = {
  id: 'doc',
  title: 'Documents',
  intro: 'JSON objects in collections, each with an id that the server makes.',
  sections: [
    {
      id: 'doc-collections',
      title: 'Collections',
      blocks: [
        '*New collection* on [Documents](/documents) declares a name, the field for the ids, and the fields to search by. Documents may have any other field.',
        '*Structure* adds and removes fields and indexes. `address.city` declares a field inside an object. A search by a new field finds only documents written since. A renamed id field leaves older documents with the old one; they are still found and proven. Deleting a collection hides its documents; the transactions stay.',
      ],
    },
    {
      id: 'doc-search',
      title: 'Searching',
      blocks: [
        'The server searches documents only in a session. The login opens it if the database has collections; otherwise the console asks for the password once in each tab, and does not keep it. The session serves all databases and outlives a reload. It ends when you log out, lock the console, or do nothing for an hour.',
        '*Search…* builds comparisons that must all hold, and alternatives with *Or…*. *Request* shows what is sent. The search stands above the documents in words, and each part can be taken out. Links carry it.',
        table(
          ['Operator', 'What it finds'],
          ['=, ≠, <, ≤, >, ≥', 'Values by their type'],
          ['is one of, is between', 'One of several values; a range with both ends'],
          [
            'contains, starts with',
            'Text as it is typed. *contains* takes ASCII characters, and finds no text with a line break around them.',
          ],
          [
            'is like, is not like',
            'Text by a pattern: `%` is any text and `_` any one character, but no line break.',
          ],
          ['is NULL, is not NULL', 'Documents without the field, and those with it'],
        ),
      ],
    },
    {
      id: 'doc-write',
      title: 'Writing',
      blocks: [
        '*Edit* replaces the whole document by a new revision. The console first looks whether yours is still the newest. The server checks no condition, so a change in the last moment is overwritten; it stays in the history.',
        note(
          'immudb stores numbers as doubles: whole numbers are exact up to 2^53. The form says which of yours would change. Quotes keep every digit.',
        ),
        'A deleted document does not come back under its id. *History* shows and compares its revisions; *Verify* proves one.',
      ],
    },
    {
      id: 'doc-files',
      title: 'Files',
      blocks: [
        '*Export* saves every document that the search finds as NDJSON, and says whether the file is complete.',
        '*Import NDJSON* takes a document in each line, or a JSON array. It checks the whole file first: JSON, types of declared fields, ids and unique values. It lists what cannot be imported, which can be left out, and what would be stored otherwise. Then it inserts up to 500 documents in each transaction. If it stops, it says which lines are committed, which are not and which are unknown. Choose the same file again to continue, also after a reload or a log-out.',
      ],
    },
    {
      id: 'doc-past',
      title: 'Looking back',
      blocks: [
        'As of an earlier moment, documents are as they were then. The list of a moment comes from reading the transactions up to it.',
      ],
    },
    {
      id: 'doc-limits',
      title: 'Limits',
      blocks: [
        list(
          'A document of more than about 4 MiB can be written and not read over HTTP. Its revisions are listed.',
          'Names have letters A–Z, digits, `_` and `-`; those of fields also `.`.',
          'An index has at most 8 fields. A unique one needs a collection that never had a document.',
          'Collections are invisible to SQL.',
        ),
      ],
    },
  ],
}
