import { type Chapter, changed, committed, list, note, rows, sql, steps, table } from '../guide'

export const firstSteps: Chapter = {
  id: 'first',
  title: 'First steps',
  intro: 'What immudb is, where things are in this console, and a first table with a past.',
  sections: [
    {
      id: 'first-immudb',
      title: 'A database that only adds',
      blocks: [
        'immudb does not overwrite. A change adds a new revision beside the old one, and a deletion adds a mark. So you can look at the past, as long as values have not expired or been [truncated](#operate-forget).',
        'Each write becomes a *transaction*: a numbered step of its database, such as tx 42. Each transaction has a hash that covers its own entries and the hash of the transaction before it. A changed entry changes every hash after it. Anyone who kept one of these hashes can notice that. See [Verifying](#verify).',
        'One server holds several databases, each with its own transactions. A database can hold three kinds of content side by side:',
        list(
          'tables, read and written by SQL on the page [Query](/query);',
          'keys with values, on the page [Keys](/keys);',
          'documents in collections, on the page [Documents](/documents).',
        ),
      ],
    },
    {
      id: 'first-console',
      title: 'Finding your way',
      blocks: [
        table(
          ['Page', 'What it is for'],
          [
            '[Overview](/)',
            'State of the open database, figures and charts of the server, what needs attention, a security check-up',
          ],
          ['[Query](/query)', 'Tables on the left, the SQL editor, results below it'],
          ['[Keys](/keys)', 'Keys, their values and all their revisions'],
          [
            '[Verify](/verify)',
            'What this browser remembers of each database, checks of single objects, evidence files, signing keys',
          ],
          ['[Databases](/databases)', 'Create, set up, load, unload and maintain databases'],
          ['[Users](/users)', 'Who may log in, and what each may do on which database'],
          [
            '[Settings](/settings)',
            'Appearance, times, editor, safety and session of this browser',
          ],
        ),
        'The open database stands at the top and can be changed there; most pages are about it. Beside it you see the newest transaction, as the server reports it.',
        'Actions that your permissions do not allow are shown but disabled. The reason appears when you point at one or reach it by keyboard.',
      ],
    },
    {
      id: 'first-scratch',
      title: 'A database to try things in',
      blocks: [
        'The examples in this guide create tables and rows, and what was written stays in the history. So run them in a separate database:',
        steps(
          'Open [Databases](/databases) and press *Create database*. Only the system admin, the user `immudb`, can do that.',
          'Name it, for instance `scratch`, and press *Create*.',
          'Choose it at the top of the page.',
        ),
        'Each chapter starts with an empty database. In a used one everything works too, but transactions have other numbers.',
        'When you are done, unload the database on [Databases](/databases) and delete it. Only that removes everything in it from the server. Its name can be given again only after the server was restarted.',
      ],
    },
    {
      id: 'first-table',
      title: 'A table, a row, a change',
      blocks: [
        '*Open in Query* puts an example into the editor. Nothing runs until you press *Run* or {Ctrl+Enter}. The text that stood in the editor before comes back with *Back to my text*.',
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
        'That looks the same as in any database. But the row has kept its past:',
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
        'A database without tables offers *Add demo data* on the page [Query](/query): an invented bicycle hire with stations, bicycles and rides. The SQL is shown before it runs, and it is stored as one transaction.',
        note(
          'The program `webconsole` of this project, started with `--demo`, fills an empty server with demo data by itself.',
        ),
      ],
    },
  ],
}
