import { type Chapter, changed, committed, failed, list, note, rows, sql, table } from '../guide'

export const timeTravel: Chapter = {
  id: 'time',
  title: 'Time travel',
  intro: 'A table as it was, the past of a row, and what changed between two moments.',
  sections: [
    {
      id: 'time-ground',
      title: 'Something with a past',
      blocks: [
        'In an empty database: tx 1 makes the table, tx 2 two rows.',
        sql(
          'CREATE TABLE accounts (id INTEGER, owner VARCHAR[20], balance INTEGER, PRIMARY KEY id)',
          committed,
        ),
        sql(
          "INSERT INTO accounts (id, owner, balance) VALUES (1, 'Ada', 100), (2, 'Ben', 50)",
          changed(2),
        ),
        'Tx 3 changes one, tx 4 adds one, tx 5 deletes one:',
        sql('UPDATE accounts SET balance = 70 WHERE id = 1', changed(1)),
        sql("INSERT INTO accounts (id, owner, balance) VALUES (3, 'Cleo', 10)", changed(1)),
        sql('DELETE FROM accounts WHERE id = 2', changed(1)),
        sql(
          'SELECT id, owner, balance FROM accounts',
          rows('id owner balance', ['1', 'Ada', '70'], ['3', 'Cleo', '10']),
        ),
      ],
    },
    {
      id: 'time-until',
      title: 'As it was',
      blocks: [
        '`UNTIL TX n` reads a table right after transaction n, `BEFORE TX n` right before it.',
        sql(
          'SELECT id, owner, balance FROM accounts UNTIL TX 2',
          rows('id owner balance', ['1', 'Ada', '100'], ['2', 'Ben', '50']),
        ),
        sql(
          'SELECT id, owner, balance FROM accounts BEFORE TX 5',
          rows('id owner balance', ['1', 'Ada', '70'], ['2', 'Ben', '50'], ['3', 'Cleo', '10']),
        ),
        'A time works, too. It is in UTC; transactions have whole seconds.',
        sql(
          "SELECT COUNT(*) AS accounts FROM accounts UNTIL CAST('2001-01-01 00:00:00' AS TIMESTAMP)",
          rows('accounts', ['0']),
        ),
        sql('SELECT COUNT(*) AS accounts FROM accounts UNTIL NOW()', rows('accounts', ['2'])),
        'Past and present side by side:',
        sql(
          `SELECT n.owner, n.balance AS present, p.balance AS past
FROM accounts n
INNER JOIN (SELECT id, balance FROM accounts UNTIL TX 2) AS p ON p.id = n.id`,
          rows('owner present past', ['Ada', '70', '100']),
        ),
      ],
    },
    {
      id: 'time-since',
      title: 'Only what is newer',
      blocks: [
        '`SINCE TX n` and `AFTER TX n` leave out rows whose newest version is older.',
        sql(
          'SELECT id, owner, balance FROM accounts SINCE TX 3',
          rows('id owner balance', ['1', 'Ada', '70'], ['3', 'Cleo', '10']),
        ),
        sql(
          'SELECT id, owner, balance FROM accounts AFTER TX 3',
          rows('id owner balance', ['3', 'Cleo', '10']),
        ),
        'Both ends show what one transaction wrote:',
        sql(
          'SELECT id, owner, balance FROM accounts SINCE TX 3 UNTIL TX 3',
          rows('id owner balance', ['1', 'Ada', '70']),
        ),
      ],
    },
    {
      id: 'time-history',
      title: 'The past of a row',
      blocks: [
        '`HISTORY OF` gives every version, numbered by `_rev`. A deletion is one, too: it repeats the last values.',
        sql(
          'SELECT _rev, owner, balance FROM (HISTORY OF accounts) WHERE id = 1',
          rows('_rev owner balance', ['1', 'Ada', '100'], ['2', 'Ada', '70']),
        ),
        sql(
          'SELECT _rev, owner, balance FROM (HISTORY OF accounts) WHERE id = 2',
          rows('_rev owner balance', ['1', 'Ben', '50'], ['2', 'Ben', '50']),
        ),
        'It takes no period, and names no transactions: *Verify* looks for the one that wrote a version. No proof covers its number.',
        sql(
          'SELECT _rev FROM (HISTORY OF accounts) UNTIL TX 2',
          failed('Syntax error: did not expect UNTIL here.'),
        ),
      ],
    },
    {
      id: 'time-diff',
      title: 'What changed in between',
      blocks: [
        '`DIFF OF` compares a table at two moments: new values of what was added or changed, last ones of what was deleted.',
        sql(
          'SELECT _diff_action, id, owner, balance FROM (DIFF OF accounts) AFTER TX 2 UNTIL TX 5',
          rows(
            '_diff_action id owner balance',
            ['UPDATE', '1', 'Ada', '70'],
            ['DELETE', '2', 'Ben', '50'],
            ['INSERT', '3', 'Cleo', '10'],
          ),
        ),
        sql(
          'SELECT _diff_action, id FROM (DIFF OF accounts) SINCE TX 3',
          failed('DIFF OF needs both ends of the period: SINCE or AFTER, and UNTIL or BEFORE.'),
        ),
        sql(
          'SELECT _diff_action, id FROM (DIFF OF accounts) SINCE TX 1 UNTIL TX 5',
          failed(
            'A period cannot start with SINCE TX 1 or end with BEFORE TX 1.',
            'Write AFTER TX 1 or UNTIL TX 1.',
          ),
        ),
        'What came and went in between does not show; several changes show as one.',
      ],
    },
    {
      id: 'time-console',
      title: 'Travelling with the console',
      blocks: [
        '*As of now* chooses the moment that [Query](/query), [Keys](/keys), [Documents](/documents), [Transactions](/tx) and [Compare](/compare) show: a transaction, a time such as `2026-11-29T09:00Z` or “5 minutes ago”, or a named moment. An amber strip names it, and nothing can be written, until you go *Back to now*.',
        table(
          ['Screen', 'What it shows as of tx 42'],
          ['Query', 'Tables right after transaction 42; the statement sent is shown'],
          ['Keys, Documents', 'Values as they were then, also of what is deleted today'],
          ['Transactions', 'The transactions up to 42'],
          ['Compare', 'What changed up to 42'],
        ),
        'The moment stands in the address, so a reload keeps it and a link shares it. Each database has its own.',
        'A time stands for the last transaction committed by then; “about” where the server’s clock stepped back.',
        'For keys of then the console reads all transactions up to that moment, and asks before long ones.',
        'On Query, the dialog also offers *Before*, *Since* and *After*. A table with its own period keeps it.',
      ],
    },
    {
      id: 'time-transactions',
      title: 'Walking through transactions',
      blocks: [
        '[Transactions](/tx) lists them, newest first. Go to one by number or time; filter by kind and by what was touched. The list says how far it looked, and *Look further* continues.',
        'A transaction shows what it changed, before and after. {[} and {]} lead to its neighbours.',
        list(
          '*Verify* proves it, or one of its entries.',
          '*Save evidence* writes a file for others to check.',
          '*Show keys and digests* shows the entries as they are stored.',
        ),
        'Values that the server does not send are shown by their digest.',
      ],
    },
    {
      id: 'time-revisions',
      title: 'Every revision',
      blocks: [
        '*History* opens the revisions of a row, a key or a document, each with its transaction. Choose two to compare them; *Verify* proves one.',
        '*Restore* writes an old one again, as a new revision, and shows first what changes. If someone else changed the row or key, the server refuses it; a document is looked at right before.',
        'Of several changes of a row in one transaction immudb keeps the last.',
      ],
    },
    {
      id: 'time-moments',
      title: 'Named moments',
      blocks: [
        'Name a moment, such as “before migration”, from a transaction, from *As of*, from Compare or on [Verify](/verify). The server must first prove that it belongs to the trusted history. This browser keeps the name with the hash, also when you log out.',
        list(
          'Choose it by its name in *As of*.',
          '*Check* proves it again.',
          'Those from a file prove nothing until you check them.',
        ),
      ],
    },
    {
      id: 'time-limits',
      title: 'What has no past',
      blocks: [
        list(
          'Views and catalogues such as `COLUMNS()`: the server shows the present instead, so the console refuses.',
          'Columns: old rows have those of today, with `NULL` in new ones.',
          'Dropped and truncated tables: SQL does not reach their rows.',
        ),
        sql('ALTER TABLE accounts ADD COLUMN branch VARCHAR[20]', committed),
        sql(
          'SELECT id, balance, branch FROM accounts UNTIL TX 2',
          rows('id balance branch', ['1', '100', null], ['2', '50', null]),
        ),
        note('What [its retention](#operate-forget) truncated is gone here, too.'),
      ],
    },
    {
      id: 'time-compare',
      title: 'Comparing two moments',
      blocks: [
        '[Compare](/compare) shows what changed after one moment, up to another. Overview leads there with what changed since your last visit.',
        table(
          ['Tab', 'What it compares'],
          ['Tables', 'Rows with their old and new values, by `DIFF OF`'],
          ['Keys', 'Keys with a common beginning and their values'],
          ['Documents', 'The documents of a collection'],
          ['Schema', 'The statements that changed tables'],
        ),
        'immudb compares tables itself. For the others this browser reads the transactions in between.',
        list(
          '*Net change* compares the two moments.',
          '*Every step* shows what each transaction changed, for up to 200 transactions.',
          '*Export* writes everything that differs, and says whether the file is complete.',
        ),
        'What expired is named without its value. Sorted sets are not compared.',
        note(
          'Columns have the names of now; dropped ones are missing. immudb 1.11.1 cannot compare a table whose JSON holds `null`.',
        ),
      ],
    },
  ],
}
