import { type Chapter, list, note, table } from '../guide'

export const documents: Chapter = {
  id: 'doc',
  title: 'Documents',
  intro:
    'Besides tables and keys a database keeps documents: JSON objects in collections, each with an id that the server makes.',
  sections: [
    {
      id: 'doc-collections',
      title: 'Collections',
      blocks: [
        'The page [Documents](/documents) lists the collections of the database. *New collection* declares a name, the field for the ids, and the fields that you want to search by. A document may have any other field as well.',
        'The tab *Structure* adds and removes fields and indexes. A name such as `address.city` declares a field inside an object. A search by a field that was added finds only documents that were written afterwards. *Rename…* gives the field for the ids another name. Documents from before keep the old field; they are still found by their ids and proven. Deleting a collection takes its documents out of every list and search. The transactions that wrote them stay.',
      ],
    },
    {
      id: 'doc-search',
      title: 'Searching',
      blocks: [
        'The server searches documents only in a session, which needs your password. If the database has collections when you log in, or you log in at *Documents*, the login opens it. Otherwise the dialog *Open document session* asks once in each tab. The console does not keep the password. The session serves all databases and outlives a reload. It ends when you log out, lock the console, or do nothing for an hour. Counts, the structure and a document by its link need no session.',
        '*Search…* builds a search: comparisons that must all hold, and alternatives to them with *Or…*. *Request* shows what is sent. Above the documents the search stands in words, and each part can be taken out. A link to the page carries the search.',
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
        '*New document* inserts one, and *Duplicate* begins one with the content of another. *Edit* replaces the whole document by a new revision. *Delete…* adds a revision that says so. Each is sent once. Before it replaces a document, the console looks whether your revision is still the newest. The server itself checks no condition, so a change in the very last moment is overwritten. It stays in the history.',
        note(
          'immudb stores numbers as doubles. Whole numbers are exact up to 2^53; the form says which of yours would change. Write a number in quotes to keep every digit.',
        ),
        'A document that was deleted does not come back under its id. Its revisions stay, with the transaction, the time and the user of each. *History* shows and compares them. *Verify* checks one in your browser.',
      ],
    },
    {
      id: 'doc-files',
      title: 'Files',
      blocks: [
        '*Export* saves every document that the search finds, one in each line (NDJSON). The name of the file and the message say whether it is complete.',
        '*Import NDJSON* takes a document in each line, or a JSON array. It checks the whole file before anything is sent: JSON, the types of declared fields, ids and unique values that stand twice. It lists what cannot be imported and what would be stored otherwise than written, with lines; you decide what is left out. Then it inserts up to 500 documents in each transaction. If it stops half-way, it says which lines are committed, which are not, and which are not known. *Check now* looks for the last transaction. When the server refuses a document, those before it are committed, and the import goes on without that line if you want. A file that this browser imported before is recognised. After a reload or a log-out the report is still there; choose the same file again to continue. This browser remembers the name of the file and how far the import is, and none of its documents.',
      ],
    },
    {
      id: 'doc-past',
      title: 'Looking back',
      blocks: [
        'As of an earlier moment, a document is shown as it was then. A search knows only the present, so the list of a moment comes from reading the transactions up to it.',
      ],
    },
    {
      id: 'doc-limits',
      title: 'Limits',
      blocks: [
        list(
          'A document of more than about 4 MiB can be written but not read over HTTP. It is counted below the list, and its revisions are listed.',
          'Names of collections and fields have letters A–Z, digits, `_` and `-`; those of fields also `.`, which leads into an object.',
          'An index has at most 8 fields. A unique one is added only to a collection that never had a document.',
          'Collections are invisible to SQL.',
        ),
      ],
    },
  ],
}
