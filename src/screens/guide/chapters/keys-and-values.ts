import { type Chapter, key, list, note, table } from '../guide'

export const keysAndValues: Chapter = {
  id: 'kv',
  title: 'Keys and values',
  intro:
    'Besides its tables a database keeps plain keys, each with a value and its earlier revisions.',
  sections: [
    {
      id: 'kv-set',
      title: 'Setting and reading a key',
      blocks: [
        'A key is any sequence of bytes, and so is a value. *Set a key* on the page [Keys](/keys) stores a new one. It refuses the name of a live key. *Get* opens the key of exactly the name you typed, listed or not.',
        key('guide:greeting', 'Hello', 'Hello again'),
        'The second value does not replace the first: it becomes revision 2 of the same key. Readers get the newest revision; older ones are listed under *Revisions*.',
        'Keys and values are shown and written as text, JSON, hexadecimal digits or base64. Values can also be unsigned integers of 1 to 8 bytes, or times. The format only changes how you see the bytes, never what is stored. What does not fit the format is not sent.',
        'Below a value, *Show every key that begins with … so* remembers its format for the prefix, in this browser.',
      ],
    },
    {
      id: 'kv-list',
      title: 'Finding keys',
      blocks: [
        'Keys are listed in the order of their bytes. A prefix narrows the list, so begin names with what you will look for:',
        key('user:1:mail', 'ada@example.org'),
        'Then `user:` lists everything of all users, and `user:1:` everything of the first. Deleted and expired keys are not listed, and neither are SQL rows.',
        'The tree above the list shows the same keys by their prefixes. A prefix ends with the delimiter, `:` unless you choose another one; the console remembers it for the database. Where no key has it, the tree offers the one that most keys have. Opening a prefix lists its keys below. On a phone, *Tree* and *List* show one of the two.',
        'The tree asks once for each prefix and passes over the keys behind it. So a million keys open as quickly as a thousand. After 49 requests, 2,000 keys or 4 MiB of values it waits for *Show more*. The sum sign counts the keys of a prefix, deleted and expired ones included. The server walks through all of them for it.',
        '*Export* saves every key of the list with its value, one in each line (NDJSON). Bytes that are not text are base64. The name of the file says whether it is complete.',
      ],
    },
    {
      id: 'kv-change',
      title: 'Changing without surprises',
      blocks: [
        'When you change a value here, the console also sends the transaction of the revision you saw. The server stores the new value only if the key has not changed since. If someone else was quicker, nothing is written: you see both values and decide.',
        'When no answer comes back, it is not known at first whether the value was stored. The console says so and offers *Check now*, which reads the key. The browser may repeat a request by itself where the server cannot prevent it. The server refuses the second copy, because the key has changed by then. Only a value that replaces one too large to be read has no such protection.',
      ],
    },
    {
      id: 'kv-delete',
      title: 'Deleting',
      blocks: [
        'Deleting adds a revision that says so. The key is no longer found or listed. Its earlier revisions stay in the history, and their values until they expire or are truncated. The key can be set again at any time.',
        note(
          'So deleting does not remove confidential data. See [Forgetting on purpose](#operate-forget).',
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
            'A key that leads to another key. Reading it gives the newest value of the other key. A reference that is bound to a transaction always gives what that transaction set. There is no reference to a reference.',
          ],
          [
            'Expiry',
            'A time after which the key is no longer found. Its revisions stay in the history, but the server no longer returns the expired value.',
          ],
          ['Sorted set', 'Keys with a score. The same key may stand there with several scores.'],
        ),
        'When you change a value, the console keeps its expiry if you want that. *Refer to another key* in the form makes a reference. *Sorted set…* opens a set by its name, because the server does not list the sets of a database. The transactions that added to a set name it.',
        'The server sorts scores by their bytes, so negative ones come last. The console puts them in order once the whole set is read. Until then it says that they are not.',
      ],
    },
    {
      id: 'kv-several',
      title: 'Several operations in one transaction',
      blocks: [
        '*Several operations…* collects values, references and entries of sorted sets, and sends them together. All of them are stored, or none. Keys are set first, so the others may refer to them in any order. What you collect is kept like any draft.',
        'Each operation may have a condition: the key exists, it does not exist, or nothing modified it since a transaction. When one is not met, nothing is stored, and the console names it.',
        'When no answer comes back, *Check now* looks for a transaction that holds exactly these operations. It compares keys, expiry and the digests of values. They stay unknown over a reload and a logout until you check or discard them.',
      ],
    },
    {
      id: 'kv-limits',
      title: 'Limits',
      blocks: [
        list(
          'A value may have up to 32 MiB unless the database was created with another limit.',
          'A value of more than about 4 MiB can be written. It cannot be read over HTTP, which is how this console talks to the server. The page says so and still lists the key’s revisions. Lists and the tree pass over such keys and say how many there are.',
          'One answer holds at most 2,500 keys; *Read more keys* fetches more.',
          'A transaction has at most 1,024 entries unless the database was created with another limit.',
        ),
      ],
    },
  ],
}
