import { type Chapter, key, list, note, table } from '../guide'

export const keysAndValues: Chapter = {
  id: 'kv',
  title: 'Keys and values',
  intro: 'Plain keys, each with a value and its earlier revisions.',
  sections: [
    {
      id: 'kv-set',
      title: 'Setting and reading a key',
      blocks: [
        'Keys and values are bytes. *Set a key* on [Keys](/keys) stores a new one; *Get* opens the key of exactly the name you type.',
        key('guide:greeting', 'Hello', 'Hello again'),
        'The second value does not replace the first: it is revision 2 of the same key. *Revisions* lists all of them.',
        'Bytes are shown and typed as text, JSON, hex or base64, values also as numbers or times.',
      ],
    },
    {
      id: 'kv-list',
      title: 'Finding keys',
      blocks: [
        'Keys are in the order of their bytes, so begin names with what you will look for:',
        key('user:1:mail', 'ada@example.org'),
        'The prefix `user:` finds everything of all users. Deleted and expired keys, and rows of tables, are not listed.',
        '*Tree* shows the same keys by their prefixes, up to a delimiter. A million keys open as quickly as a thousand. The sum sign counts the keys of a prefix, deleted and expired ones included.',
        '*Export* saves every key of the list as NDJSON.',
      ],
    },
    {
      id: 'kv-change',
      title: 'Changing without surprises',
      blocks: [
        'The server stores a changed value only if the key is still the one you saw. If someone else was quicker, nothing is written, and you see both values.',
        'Without an answer it is unknown whether the value was stored: *Check now* finds out.',
      ],
    },
    {
      id: 'kv-delete',
      title: 'Deleting',
      blocks: [
        'Deleting adds a revision that says so. Earlier revisions stay in the history, and the key can be set again.',
        note(
          'Deleting does not remove confidential data. See [Forgetting on purpose](#operate-forget).',
        ),
      ],
    },
    {
      id: 'kv-kinds',
      title: 'References, expiry, sorted sets',
      blocks: [
        table(
          ['Kind', 'What it does'],
          [
            'Reference',
            'Gives the newest value of another key, or the one of a transaction it is bound to',
          ],
          ['Expiry', 'After that time the key is not found, and the server keeps its value back'],
          ['Sorted set', 'Keys with a score; a key may have several'],
        ),
        '*Sorted set…* opens a set by its name, because the server does not list them. It sorts scores by their bytes, so negative ones come last. The console orders them once the whole set is read, and says so until then.',
      ],
    },
    {
      id: 'kv-several',
      title: 'Several operations in one transaction',
      blocks: [
        '*Several operations…* sends values, references and entries of sorted sets together: all of them are stored, or none.',
        'Each may have a condition: the key exists, does not exist, or was not modified since a transaction. If one is not met, nothing is stored, and the console names it.',
        'Without an answer, *Check now* looks for a transaction with exactly these operations.',
      ],
    },
    {
      id: 'kv-limits',
      title: 'Limits',
      blocks: [
        list(
          'A value has up to 32 MiB, a transaction up to 1,024 entries, unless the database was created otherwise.',
          'A value of more than about 4 MiB can be written and not read over HTTP. Its revisions are listed.',
          'An answer has up to 2,500 keys; *Read more keys* fetches more.',
        ),
      ],
    },
  ],
}
