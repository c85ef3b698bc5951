import { type Chapter, key, list, note, table } from '../guide'

export const keysAndValues: Chapter = {
  id: 'kv',
  title: 'Keys and values',
  intro: 'Keys, each with a value and its revisions.',
  sections: [
    {
      id: 'kv-set',
      title: 'Setting a key',
      blocks: [
        '*Set a key* on [Keys](/keys) stores a new one; *Get* opens exactly the key you type. Keys and values are bytes, in the format you choose.',
        key('guide:greeting', 'Hello', 'Hello again'),
        'The second value is revision 2 of the same key; *Revisions* lists both. *Last writes* above the list adds transaction, time and revision to each key.',
      ],
    },
    {
      id: 'kv-list',
      title: 'Finding keys',
      blocks: [
        'Keys are ordered by their bytes. Begin names with what you will look for:',
        key('user:1:mail', 'ada@example.org'),
        'The prefix `user:` finds all users. Deleted and expired keys, tables and documents are not listed.',
        'The sum sign counts the keys of a prefix, deleted and expired ones included. *Export* saves the list as NDJSON.',
      ],
    },
    {
      id: 'kv-change',
      title: 'Changing',
      blocks: [
        'A changed value is stored only if the key is still the one you saw. Otherwise nothing is written, and you see both values.',
        'Without an answer it is unknown whether it was stored: *Check now* finds out.',
      ],
    },
    {
      id: 'kv-delete',
      title: 'Deleting',
      blocks: [
        'A deletion is a revision. Earlier ones stay, and the key can be set again.',
        note(
          'Deleting does not remove confidential data: [Forgetting on purpose](#operate-forget).',
        ),
      ],
    },
    {
      id: 'kv-kinds',
      title: 'References, expiry, sorted sets',
      blocks: [
        table(
          ['Kind', 'Effect'],
          [
            'Reference',
            'Gives the newest value of another key, or that of the transaction it is bound to',
          ],
          ['Expiry', 'Afterwards the key is not found and its value withheld'],
          ['Sorted set', 'Keys with scores; a key may have several'],
        ),
        '*Sorted set…* opens one by name: the server lists none. Negative scores come last until all are read.',
      ],
    },
    {
      id: 'kv-several',
      title: 'Several operations',
      blocks: [
        '*Several operations…* sends values, references and entries of sorted sets together: all are stored, or none.',
        'Conditions: the key exists, does not exist, or was not modified since a transaction. If one is not met, nothing is stored, and the console names it.',
        'Without an answer, *Check now* looks for a transaction with exactly these operations.',
      ],
    },
    {
      id: 'kv-limits',
      title: 'Limits',
      blocks: [
        list(
          'Value: 32 MiB; transaction: 1,024 entries; unless the database was created otherwise.',
          'Values over about 4 MiB can be written, not read over HTTP. Their revisions are listed.',
          'One answer: 2,500 keys; *Read more keys* fetches more.',
        ),
      ],
    },
  ],
}
