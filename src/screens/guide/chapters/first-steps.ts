import { type Chapter, changed, committed, list, note, rows, sql, steps, table } from '../guide'

export const firstSteps: Chapter = {
  id: 'first',
  title: 'First steps',
  intro: 'immudb, this console, and a first table.',
  sections: [
    {
      id: 'first-immudb',
      title: 'A database that only adds',
      blocks: [
        'immudb overwrites nothing: a change adds a revision, a deletion a mark. The past stays until values expire or are [truncated](#operate-forget).',
        'Each write is a *transaction*, numbered in its database: tx 42. Its hash covers its entries and the hash before. A changed entry changes every later hash, and anyone who kept one [can notice](#verify).',
        'A database holds tables ([Query](/query)), keys with values ([Keys](/keys)) and documents in collections ([Documents](/documents)).',
      ],
    },
    {
      id: 'first-console',
      title: 'Finding your way',
      blocks: [
        table(
          ['Page', 'What for'],
          ['[Overview](/)', 'What needs attention'],
          ['[Query](/query)', 'Tables and SQL'],
          ['[Keys](/keys)', 'Keys, values, revisions'],
          ['[Documents](/documents)', 'Collections'],
          ['[Transactions](/tx)', 'What each one changed'],
          ['[Compare](/compare)', 'Changes between two moments'],
          ['[Verify](/verify)', 'Trusted states, audits, evidence, signing keys, incidents'],
          ['[Servers](/servers)', 'Lag and histories'],
          ['[Databases](/databases)', 'Create, set up, maintain'],
          ['[Users](/users)', 'Passwords and permissions'],
          ['[Audit log](/audit)', 'Who called what'],
          ['[Settings](/settings)', 'Appearance, times, editor, safety, session'],
        ),
        'The newest transaction at the top is as the server reports it. What you may not do is disabled, with the reason.',
        'A database opens where you left it. Its only table or collection opens by itself, once.',
      ],
    },
    {
      id: 'first-scratch',
      title: 'A database to try things in',
      blocks: [
        'The examples write, and what was written stays. Give them an empty database:',
        steps(
          'As the user `immudb`, press *Create database* on [Databases](/databases).',
          'Name it `scratch` and press *Create*.',
          'Choose it at the top.',
        ),
        'When done, unload and delete it. Its name is free again after a restart of the server.',
      ],
    },
    {
      id: 'first-find',
      title: 'Find anything',
      blocks: [
        '{Ctrl+K}, or the field at the top, finds what has an address: names of tables, columns, collections, keys, databases, users and servers, named moments, saved queries, screens, settings, this guide and actions. What is typed is kept nowhere.',
        table(
          ['Typed', 'Found'],
          ['`42`, `tx 42`', 'The transaction'],
          ['`as of tx 42`, `5 minutes ago`, `2026-11-21 09:00`', 'The shown data at that moment'],
          ['A hash in hex or base64', 'The transaction of a state, header or value with it'],
          ["`orders 7`, `orders (7, 'north')`", 'The row of a table by its primary key'],
          ['32 hex digits', 'The document with this id'],
          ['The beginning of a key, also as `b64:…`', 'Keys'],
        ),
        list(
          'What is known already is shown at once. Then the server is asked; each question and what became of it stands below the results.',
          '*Look through* reads all keys or transactions, newest transactions first. It says how far it is, can be stopped and goes on from there.',
          '*All databases* and *All servers* ask those too, where you are logged in, and *Look through* is offered for all of them.',
          'A file of evidence, checkpoints or trusted states that is dropped on any page opens in [Verify](/verify).',
        ),
      ],
    },
    {
      id: 'first-table',
      title: 'A first table',
      blocks: [
        '*Open in Query* puts an example into an editor of its own; {Ctrl+Enter} runs it. *Back to my text* closes it.',
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
        'The row kept its [past](#time):',
        sql(
          'SELECT _rev, text FROM (HISTORY OF notes) WHERE id = 1',
          rows('_rev text', ['1', 'Buy milk'], ['2', 'Buy oat milk']),
        ),
      ],
    },
    {
      id: 'first-demo',
      title: 'Demo data',
      blocks: [
        'Without tables, [Query](/query) offers *Add demo data*: an invented bicycle hire, in one transaction.',
        note('`webconsole --demo` fills an empty server.'),
      ],
    },
  ],
}
