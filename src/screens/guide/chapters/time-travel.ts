import { type Chapter, changed, committed, failed, list, note, rows, sql, table } from '../guide'

export const timeTravel: Chapter = {
  id: 'time',
  title: 'Time travel',
  intro:
    'immudb keeps earlier revisions of rows until they are truncated. SQL can show a table as it was, the past of a row, and what changed between two moments.',
  sections: [
    {
      id: 'time-ground',
      title: 'Something with a past',
      blocks: [
        'These examples need an empty database, so that each transaction gets the number in the text.',
        'Tx 1 makes the table, tx 2 two rows:',
        sql(
          'CREATE TABLE accounts (id INTEGER, owner VARCHAR[20], balance INTEGER, PRIMARY KEY id)',
          committed,
        ),
        sql(
          "INSERT INTO accounts (id, owner, balance) VALUES (1, 'Ada', 100), (2, 'Ben', 50)",
          changed(2),
        ),
        'Tx 3 changes one, tx 4 adds one, and tx 5 deletes one:',
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
        'After the name of a table, `UNTIL TX n` reads it as it was right after transaction n. `BEFORE TX n` reads it as it was right before it.',
        sql(
          'SELECT id, owner, balance FROM accounts UNTIL TX 2',
          rows('id owner balance', ['1', 'Ada', '100'], ['2', 'Ben', '50']),
        ),
        sql(
          'SELECT id, owner, balance FROM accounts BEFORE TX 5',
          rows('id owner balance', ['1', 'Ada', '70'], ['2', 'Ben', '50'], ['3', 'Cleo', '10']),
        ),
        'A time works as well as a number. Times are in UTC, and the time of a transaction is exact to the second.',
        sql(
          "SELECT COUNT(*) AS accounts FROM accounts UNTIL CAST('2001-01-01 00:00:00' AS TIMESTAMP)",
          rows('accounts', ['0']),
        ),
        sql('SELECT COUNT(*) AS accounts FROM accounts UNTIL NOW()', rows('accounts', ['2'])),
        'The past can be compared with the present:',
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
        '`SINCE TX n` and `AFTER TX n` are something else: they leave out rows whose newest version is older than that.',
        sql(
          'SELECT id, owner, balance FROM accounts SINCE TX 3',
          rows('id owner balance', ['1', 'Ada', '70'], ['3', 'Cleo', '10']),
        ),
        sql(
          'SELECT id, owner, balance FROM accounts AFTER TX 3',
          rows('id owner balance', ['3', 'Cleo', '10']),
        ),
        'Both ends together show what a single transaction wrote:',
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
        '`HISTORY OF` gives every version, numbered by `_rev`. A deletion is a version too, but it is not marked: it repeats the last values.',
        sql(
          'SELECT _rev, owner, balance FROM (HISTORY OF accounts) WHERE id = 1',
          rows('_rev owner balance', ['1', 'Ada', '100'], ['2', 'Ada', '70']),
        ),
        sql(
          'SELECT _rev, owner, balance FROM (HISTORY OF accounts) WHERE id = 2',
          rows('_rev owner balance', ['1', 'Ben', '50'], ['2', 'Ben', '50']),
        ),
        'It does not name transactions, so Verify looks for the one that wrote a version and proves what it wrote. No proof covers the number of a version.',
        'It takes no period:',
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
        '`DIFF OF` compares a table at two moments. Both ends are needed. It shows the new values of what was added or changed, and the last ones of what was deleted.',
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
        'A row that was added and deleted in between does not show, and several changes show as one.',
      ],
    },
    {
      id: 'time-console',
      title: 'Travelling with the console',
      blocks: [
        'The button *As of now* chooses the moment that [Query](/query), [Keys](/keys), [Transactions](/tx) and [Compare](/compare) show. It is a transaction, a time or a named moment. An amber strip names it until you go *Back to now*. Meanwhile nothing can be written.',
        table(
          ['Screen', 'What it shows as of tx 42'],
          ['Query', 'Tables right after transaction 42; the text that was sent is shown'],
          ['Keys', 'The value that a key had then, also of a key that is deleted today'],
          ['Transactions', 'The transactions up to 42'],
          ['Compare', 'What changed up to 42'],
        ),
        'The moment stands in the address, such as `at=tx:42` or `at=2026-11-21T09:00:00Z`. It stays when you go to another screen or reload the page, and a link shows others the same. Each database has its own.',
        'A time stands for the last transaction that was committed by then. The console finds it in a few requests. If the server’s clock stepped back near that time, it says “about”.',
        'immudb lists only the keys of today. For the list of then, the console reads all transactions up to that moment. It reads short histories at once, and asks before long ones.',
        'On Query, the same dialog also offers *Before*, *Since* and *After* a transaction or a time.',
        'A table with its own period keeps it.',
      ],
    },
    {
      id: 'time-transactions',
      title: 'Walking through transactions',
      blocks: [
        '[Transactions](/tx) lists every transaction of the database, newest first. Go to one by its number or by a time. Filter by kind or by the number of entries. The list says how far it looked, and *Look further* continues.',
        'A transaction shows what it changed: rows before and after, keys, references, sorted sets, documents, and statements that changed tables. {[} and {]} lead to the one before and after.',
        list(
          '*Verify* proves the transaction, or one of its entries, in this browser.',
          '*Save evidence* writes a file with which others can check it.',
          '*Show keys and digests* shows the entries as they are stored.',
        ),
        'What the server does not send, such as expired values, is counted and shown by its digest.',
      ],
    },
    {
      id: 'time-revisions',
      title: 'Every revision',
      blocks: [
        '*History* opens the revisions of a row, a key or a document. It is beside a key and at entries of a transaction. On a row of a result press {Alt+H}. Each names the transaction that wrote it.',
        'immudb does not name the transactions of row revisions. The console finds each in a few requests when you look at it, and remembers it.',
        'Choose any two revisions to compare them. *Verify* proves one.',
        '*Restore* writes an old row, key or document again, as a new revision. It shows first what changes. If someone else changes the row or key first, the server refuses it. A document is only looked at right before: a change at the very moment of sending is overwritten and stays in the history. A document that was deleted cannot come back under its old id.',
        'Of several changes of one row within a transaction immudb keeps the last.',
      ],
    },
    {
      id: 'time-moments',
      title: 'Named moments',
      blocks: [
        'Give a moment a name, such as “before migration”, on [Verify](/verify) below the trusted states. The server must first prove that the transaction belongs to the history that this browser trusts. The browser then keeps the name with the hash.',
        list(
          'Choose it by its name in the dialog *As of*.',
          '*Check* asks for the proof again: is this moment still part of the history?',
          'Save all as a file for another browser. Moments from a file prove nothing until you check them.',
        ),
        'Named moments stay in this browser when you log out, as trusted states do.',
      ],
    },
    {
      id: 'time-limits',
      title: 'What has no past',
      blocks: [
        list(
          'Views and catalogues such as `COLUMNS()`: the server accepts a period there but silently shows the present. The console refuses instead.',
          'The columns: old rows are shown with the columns of today, those added since as `NULL`.',
          'Dropped and truncated tables: their rows cannot be reached by SQL any more.',
        ),
        sql('ALTER TABLE accounts ADD COLUMN branch VARCHAR[20]', committed),
        sql(
          'SELECT id, balance, branch FROM accounts UNTIL TX 2',
          rows('id balance branch', ['1', '100', null], ['2', '50', null]),
        ),
        note(
          'What was truncated from the whole database by [its retention](#operate-forget) is gone for time travel too.',
        ),
      ],
    },
    {
      id: 'time-compare',
      title: 'Comparing two moments',
      blocks: [
        '[Compare](/compare) shows what changed after one moment, up to another. A moment is a transaction, a time, your last visit or now. Overview leads there with what changed since your last visit.',
        table(
          ['Tab', 'What it compares'],
          ['Tables', 'Rows with their old and new values, by `DIFF OF`'],
          ['Keys', 'Keys with a common beginning and their values'],
          ['Documents', 'The documents of a collection'],
          ['Schema', 'The statements that changed tables'],
        ),
        'immudb compares tables itself. For the other three this browser reads the transactions in between, which it remembers until you log out.',
        list(
          '*Net change* compares the two moments. A row that came and went in between does not show.',
          '*Every step* shows what each transaction changed, for up to 200 transactions.',
          '*Export* writes all rows, keys or documents that differ, whatever is filtered, and says whether the file is complete.',
        ),
        'A reference is shown by the key that it refers to. What has expired since is named without its value, because the server no longer sends it. Sorted sets are not compared.',
        note(
          'Columns have the names of now. A dropped column is missing, and a table whose JSON holds `null` cannot be compared by immudb 1.11.1.',
        ),
      ],
    },
  ],
}
