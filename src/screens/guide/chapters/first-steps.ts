import { type Chapter, changed, committed, list, note, rows, sql, steps, table } from '../guide'

export const firstSteps: Chapter = {
  id: 'first',
  title: 'First steps',
  intro: 'What immudb is, and a first table with a past.',
  sections: [
    {
      id: 'first-immudb',
      title: 'A database that only adds',
      blocks: [
        'immudb does not overwrite. A change adds a revision, a deletion adds a mark. So the past stays, until values expire or are [truncated](#operate-forget).',
        'Each write is a *transaction*: a numbered step of its database, such as tx 42. Its hash covers its entries and the hash of the one before, so a changed entry changes every hash after it. Whoever kept one notices. See [Verifying](#verify).',
        'A server has several databases. Each holds three kinds of content:',
        list(
          'tables, by SQL on [Query](/query);',
          'keys with values, on [Keys](/keys);',
          'documents in collections, on [Documents](/documents).',
        ),
      ],
    },
    {
      id: 'first-console',
      title: 'Finding your way',
      blocks: [
        table(
          ['Page', 'What it is for'],
          ['[Overview](/)', 'What needs attention, and figures of the server'],
          ['[Query](/query)', 'Tables and SQL'],
          ['[Keys](/keys)', 'Keys, their values and revisions'],
          ['[Documents](/documents)', 'Collections and their documents'],
          ['[Transactions](/tx)', 'Every transaction and what it changed'],
          ['[Compare](/compare)', 'What changed between two moments'],
          ['[Verify](/verify)', 'Trusted states, checks, audits, evidence, signing keys'],
          ['[Servers](/servers)', 'Several servers, their lag and their histories'],
          ['[Databases](/databases)', 'Create, set up and maintain databases'],
          ['[Users](/users)', 'Who may log in and do what'],
          ['[Audit log](/audit)', 'Who called what, where the server records it'],
          ['[Settings](/settings)', 'Appearance, times, editor, safety, session'],
        ),
        'The open database stands at the top, beside its newest transaction as the server reports it.',
        'What your permissions do not allow is disabled, with the reason.',
      ],
    },
    {
      id: 'first-scratch',
      title: 'A database to try things in',
      blocks: [
        'The examples write, and what was written stays. Run them in a database of their own:',
        steps(
          'Press *Create database* on [Databases](/databases), as the user `immudb`.',
          'Name it `scratch` and press *Create*.',
          'Choose it at the top of the page.',
        ),
        'In a used database transactions have other numbers.',
        'When you are done, unload and delete it. Its name can be given again after a restart of the server.',
      ],
    },
    {
      id: 'first-table',
      title: 'A table, a row, a change',
      blocks: [
        '*Open in Query* puts an example into the editor; {Ctrl+Enter} runs it. *Back to my text* brings your own text back.',
        sql(
          'CREATE TABLE notes (id INTEGER AUTO_INCREMENT, text VARCHAR[100], PRIMARY KEY id)',
          committed,
        ),
        sql("INSERT INTO notes (text) VALUES ('Buy milk'), ('Call Ada')", changed(2)),
        sql("UPDATE notes SET text = 'Buy oat milk' WHERE id = 1", changed(1)),
        sql(
          'SELECT id, text FROM notes',
          rows('id text', ['1', 'Buy oat milk'], ['2', 'Call Ada']),
        ),
        'The row has kept its past:',
        sql(
          'SELECT _rev, text FROM (HISTORY OF notes) WHERE id = 1',
          rows('_rev text', ['1', 'Buy milk'], ['2', 'Buy oat milk']),
        ),
        'More on that in [Time travel](#time).',
      ],
    },
    {
      id: 'first-demo',
      title: 'Demo data',
      blocks: [
        'A database without tables offers *Add demo data* on [Query](/query), an invented bicycle hire, as one transaction. The SQL is shown before it runs.',
        note('`webconsole --demo` fills an empty server with demo data.'),
      ],
    },
  ],
}
