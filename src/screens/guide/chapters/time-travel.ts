import { type Chapter, changed, committed, failed, list, note, rows, sql, table } from '../guide'

export const timeTravel: Chapter = {
  id: 'time',
  title: 'Time travel',
  intro: 'The past of tables and rows, and what changed since.',
  sections: [
    {
      id: 'time-ground',
      title: 'Example',
      blocks: [
        'In an empty database, tx 1 makes a table, tx 2 two rows:',
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
        '`UNTIL TX n` reads a table right after transaction n, `BEFORE TX n` right before.',
        sql(
          'SELECT id, owner, balance FROM accounts UNTIL TX 2',
          rows('id owner balance', ['1', 'Ada', '100'], ['2', 'Ben', '50']),
        ),
        sql(
          'SELECT id, owner, balance FROM accounts BEFORE TX 5',
          rows('id owner balance', ['1', 'Ada', '70'], ['2', 'Ben', '50'], ['3', 'Cleo', '10']),
        ),
        'Times are in UTC; transactions have whole seconds.',
        sql(
          "SELECT COUNT(*) AS accounts FROM accounts UNTIL CAST('2001-01-01 00:00:00' AS TIMESTAMP)",
          rows('accounts', ['0']),
        ),
        sql('SELECT COUNT(*) AS accounts FROM accounts UNTIL NOW()', rows('accounts', ['2'])),
        'Past beside present:',
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
      title: 'Newer rows',
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
        'What one transaction wrote:',
        sql(
          'SELECT id, owner, balance FROM accounts SINCE TX 3 UNTIL TX 3',
          rows('id owner balance', ['1', 'Ada', '70']),
        ),
      ],
    },
    {
      id: 'time-history',
      title: 'History of a row',
      blocks: [
        '`HISTORY OF` gives every version, numbered by `_rev`. A deletion repeats the last values.',
        sql(
          'SELECT _rev, owner, balance FROM (HISTORY OF accounts) WHERE id = 1',
          rows('_rev owner balance', ['1', 'Ada', '100'], ['2', 'Ada', '70']),
        ),
        sql(
          'SELECT _rev, owner, balance FROM (HISTORY OF accounts) WHERE id = 2',
          rows('_rev owner balance', ['1', 'Ben', '50'], ['2', 'Ben', '50']),
        ),
        'It names no transactions: *Verify* looks for the one that wrote a version. No proof covers the number.',
        sql(
          'SELECT _rev FROM (HISTORY OF accounts) UNTIL TX 2',
          failed('Syntax error: did not expect UNTIL here.'),
        ),
      ],
    },
    {
      id: 'time-diff',
      title: 'Differences',
      blocks: [
        '`DIFF OF` compares two moments: new values of rows added or changed, last ones of rows deleted.',
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
      title: 'In the console',
      blocks: [
        '*As of now* chooses the moment to show: a transaction, a time such as `2026-11-29T09:00Z` or “5 minutes ago”, or a named moment. Nothing can be written until you go *Back to now*.',
        table(
          ['Screen', 'As of tx 42'],
          ['Query', 'Tables right after tx 42; the statement sent is shown'],
          ['Keys, Documents', 'Values of then, also of what is deleted today'],
          ['Transactions, Compare', 'Only what is up to tx 42'],
        ),
        list(
          'The address holds the moment, so links share it. Each database has its own.',
          'A time stands for the last transaction committed by then.',
          'For keys of then the console reads all transactions up to it, and asks before long ones.',
          'A table with its own period in SQL keeps it.',
        ),
      ],
    },
    {
      id: 'time-transactions',
      title: 'Transactions',
      blocks: [
        'Find [transactions](/tx) by number, time, kind, or what they touched.',
        'One shows what it changed; {[} and {]} lead to its neighbours.',
        list(
          '*Verify* proves it, or one of its entries.',
          '*Save evidence* writes a file for others to check.',
          '*Show keys and digests* shows entries as they are stored.',
        ),
      ],
    },
    {
      id: 'time-revisions',
      title: 'Revisions',
      blocks: [
        '*History* of a row, a key or a document compares two revisions, and verifies one.',
        '*Last change of each column* there, or {B}, says who changed what when, with the value before. {Alt+B} opens it on a row. It goes back revision by revision, because a value may come back; after 100 of them it asks first.',
        '*Verify* beside a change proves that its transaction wrote the value and, where the value before is shown, that an earlier transaction wrote that one. That nothing came between or since is what the server says: it can leave revisions out. A number of revisions proves nothing. Only a [deep audit](#verify-audit) reads every transaction.',
        'As of a moment, history columns name the transaction that had written each row by then. A row that was written since has “up to” its number of revisions. Where a server refuses the question, they say “not read”. Last changes of a row go up to now, and say where that is later.',
        '*Restore* writes an old one as a new revision. If someone else changed the row or key, the server refuses it. A document is only looked at right before.',
        'Of several changes of a row in one transaction immudb keeps the last.',
      ],
    },
    {
      id: 'time-moments',
      title: 'Named moments',
      blocks: [
        'Name a moment, such as “before migration”, from a transaction, *As of*, Compare or [Verify](/verify). The server must first prove that it belongs to the trusted history. This browser keeps name and hash, also when you log out.',
        '*Check* proves it again. Moments from a file prove nothing until you check them.',
      ],
    },
    {
      id: 'time-limits',
      title: 'What has no past',
      blocks: [
        list(
          'Views and catalogues such as `COLUMNS()`: the server shows the present, so the console refuses.',
          'Columns: old rows have those of today, new ones as `NULL`.',
          'Dropped and truncated tables.',
        ),
        sql('ALTER TABLE accounts ADD COLUMN branch VARCHAR[20]', committed),
        sql(
          'SELECT id, balance, branch FROM accounts UNTIL TX 2',
          rows('id balance branch', ['1', '100', null], ['2', '50', null]),
        ),
        note('Values [truncated](#operate-forget) are gone here, too.'),
      ],
    },
    {
      id: 'time-compare',
      title: 'Compare',
      blocks: [
        '[Compare](/compare) shows what changed after one moment, up to another, such as since your last visit.',
        list(
          '*Tables* are compared by the server, with `DIFF OF`.',
          'For *Keys*, *Documents* and *Schema* this browser reads the transactions in between.',
          '*Net change* compares the two moments; *Every step* shows what each of up to 200 transactions changed.',
          '*Export* writes everything that differs, and says whether the file is complete.',
          'What expired has no value. Sorted sets are not compared.',
        ),
        note(
          'Columns have the names of now; dropped ones are missing. immudb 1.11.1 cannot compare a table that has a row whose JSON is `null`.',
        ),
      ],
    },
  ],
}
