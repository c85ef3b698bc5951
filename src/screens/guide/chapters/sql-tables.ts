import { changed, committed, failed, list, nothing, rows, type Section, sql, table } from '../guide'

/** Making, changing and looking up tables. */
export const sqlTables: readonly Section[] = [
  {
    id: 'sql-create',
    title: 'Creating tables',
    blocks: [
      'Every table needs a primary key; `AUTO_INCREMENT` numbers an integer one. Lengths are in square brackets.',
      sql(
        `CREATE TABLE items (
  id INTEGER AUTO_INCREMENT,
  name VARCHAR[40] NOT NULL,
  price FLOAT,
  added TIMESTAMP,
  PRIMARY KEY id
)`,
        committed,
      ),
      'A key of several columns is in brackets:',
      sql(
        'CREATE TABLE stock (shop INTEGER, item VARCHAR[20], amount INTEGER DEFAULT 0, PRIMARY KEY (shop, item))',
        committed,
      ),
      sql('CREATE TABLE IF NOT EXISTS stock (shop INTEGER, PRIMARY KEY shop)', nothing),
      sql('CREATE TABLE loose (n INTEGER)', failed('No primary key specified.')),
    ],
  },
  {
    id: 'sql-types',
    title: 'Types',
    blocks: [
      table(
        ['Type', 'Holds', 'Written as'],
        ['`INTEGER`', 'Whole numbers, 64 bits', '`42`'],
        ['`FLOAT`', 'Fractions, 64 bits', '`24.5`'],
        ['`VARCHAR[n]`', 'Text of n bytes at most; any length without `[n]`', "`'it''s'`"],
        ['`BOOLEAN`', 'True or false', '`true`'],
        [
          '`TIMESTAMP`',
          'A moment in UTC, to the microsecond',
          "`CAST('2026-03-01 08:30:00' AS TIMESTAMP)`",
        ],
        ['`BLOB[n]`', 'Bytes', "`x'00FF'`"],
        ['`UUID`', '16 bytes', "`CAST('6ba7b810-9dad-11d1-80b4-00c04fd430c8' AS UUID)`"],
        ['`JSON`', 'JSON text; no index', '`\'{"a": 1}\'`'],
      ),
      'Keys and indexed columns need a limit: at most 1,024 bytes unless set otherwise.',
      sql(
        'CREATE TABLE long_key (name VARCHAR, PRIMARY KEY name)',
        failed(
          "Indexed key of unsupported type or exceeded length: can not create index using column 'name'. Max key length for variable columns is 1024.",
        ),
      ),
      'Comparisons convert no types: use `CAST` or `::`.',
      sql(
        "SELECT CAST('12' AS INTEGER) AS number, '12'::INTEGER AS short",
        rows('number short', ['12', '12']),
      ),
      'Beyond 64 bits an integer wraps around:',
      sql('SELECT 9223372036854775808 AS wrapped', rows('wrapped', ['-9223372036854775808'])),
    ],
  },
  {
    id: 'sql-names',
    title: 'Names and quotes',
    blocks: [
      'Single quotes hold text, double quotes a name of letters, digits and `_`. Names are kept in lower case.',
      sql("SELECT 'it''s text' AS words", rows('words', ["it's text"])),
      'Reserved words such as `order`, `count` and `rows` need double quotes:',
      sql(
        'CREATE TABLE tickets (id INTEGER, order INTEGER, PRIMARY KEY id)',
        failed('Syntax error: did not expect ORDER (order) here.'),
      ),
      sql('CREATE TABLE tickets (id INTEGER, "order" INTEGER, PRIMARY KEY id)', committed),
      'A double-quoted word that names nothing is sent as text, and the result says so ([Settings](/settings) can turn that off).',
      sql('SELECT id FROM items WHERE name = "Lamp"', {
        ...rows('id'),
        note: '"Lamp" was sent as text \'Lamp\'',
      }),
      'Comments: `-- …` and `/* … */`.',
    ],
  },
  {
    id: 'sql-browse',
    title: 'Browsing a table',
    blocks: [
      'Press a name in the list of [Query](/query).',
      table(
        ['Part', 'Effect'],
        [
          '*Filter*',
          'Conditions by column and type; `<`, `≤` and `≠` let [NULL](#sql-null) through',
        ],
        [
          'Title of a column',
          'Orders by it, backwards, or no longer. Without an index that begins with it, the server sorts every row for each page.',
        ],
        [
          '*Columns*',
          'Hides and moves columns here; exports have all. Adds the transaction, time and revision of each row in sight, as the server says them. Below results: *History columns*.',
        ],
        [
          '{Alt+R}, {Alt+H}, {Alt+B}, {Alt+V}',
          'Whole row, history, last change of each column, verify',
        ],
        ['Chosen rows', 'Copied as INSERT, JSON or CSV'],
        ['*Export*', 'All that the filter lets through'],
        [
          '*Structure*, *Indexes*, *DDL*',
          'As reported by the server; checks come from the transactions',
        ],
      ),
      'A view has no key and no history, and always shows now.',
    ],
  },
  {
    id: 'sql-edit',
    title: 'Editing rows',
    blocks: [
      'Type on a cell, or paste blocks as in a spreadsheet. See [all keys](#keyboard-rows).',
      'Edits are staged: nothing is sent before *Commit*. It reads the rows again and sends one transaction: all of it is committed, or nothing. Then this browser verifies it.',
      '{Alt+Delete} deletes the row of the cell. {Ctrl+Enter} reviews what is staged; {Ctrl+Shift+Enter}, also while you type in a cell, and *Commit* in the bar commit it at once. The review stays open and asks where something stands against it or a row is on another page. In the SQL editor the same keys run all statements.',
      list(
        'If someone else changed or deleted one of the rows, even at the last moment, nothing is committed. You see both values and decide.',
        'Each row, and each index of a changed column, takes one of the [1,024 entries](#sql-limits).',
        '{Delete} sets NULL, not an empty text. Times: in the zone shown; blobs: in hex.',
        'Primary keys cannot be changed: duplicate the row and delete the old one.',
        'A key or unique value that one row gives up is free for another only after the commit.',
        'immudb takes `NULL` in a column that forbids it. The console does not send that.',
        'Numbers in JSON are [doubles](#doc-write).',
      ),
      'Staged edits survive a reload and a log-out, without the values that were read. Then the rows are read again.',
      'Without an answer it is unknown whether they were committed: *Check now* compares the rows.',
    ],
  },
  {
    id: 'sql-forms',
    title: 'Forms for tables',
    blocks: [
      'The plus beside *Tables* creates one; *Structure* and *Indexes* change it. See [what dropping leaves](#sql-alter).',
    ],
  },
  {
    id: 'sql-import',
    title: 'Importing CSV',
    blocks: [
      '*Import CSV* on [Query](/query) takes files of any size.',
      table(
        ['In the file', 'Read as'],
        ['Types', 'Only where every value stays as it stands: `00501` and `1.50` stay texts'],
        [
          'NULL',
          'Empty fields, and words such as `NA` outside texts; *NULL* changes that. Never a field in quotes',
        ],
        ['Separator, header', '`sep=;` in the first line; *First line*'],
        ['Bytes that are no UTF-8', 'Windows-1252 until you choose otherwise'],
        ['Time without a zone', 'UTC'],
        ['Bytes', '`0x00ff`'],
        ['No key', 'An `AUTO_INCREMENT` column'],
      ),
      list(
        'Rows that do not fit are listed first: change the types, or leave them out. Values that would be written otherwise need your consent.',
        'Each transaction is stored whole or not at all. Where a key exists already, the import stops and names the lines.',
        'After a log-out, a reload or a lost connection choose the same file again to continue. This browser remembers its name and how far it is, and no values.',
        'Without an answer the console looks for the rows by their key and continues. Where the server makes the keys, it stops, shows what was added since, and you decide.',
      ),
      'Export *CSV, exact values* comes back as it was. *CSV* for spreadsheets puts an apostrophe before texts that look like formulas, and counts them. An import takes them off if you ask.',
    ],
  },
  {
    id: 'sql-script',
    title: 'Bringing a script',
    blocks: [
      '*Script* on [Query](/query) takes what `pg_dump`, `mysqldump`, SQLite’s `.dump` and immudb wrote, up to 128 MiB; or drop the file there. Each statement is judged before anything is sent: it runs as it is, is rewritten, is left out, or cannot run. Choose one to see what is sent of it and why.',
      table(
        ['In the script', 'In immudb'],
        [
          'Names, quotes, schemas',
          'Letters a–z, digits and `_`; `public.` goes, another schema stays as `audit_log`',
        ],
        [
          '`SERIAL`, `nextval`, identity, `INTEGER PRIMARY KEY` of SQLite',
          '`AUTO_INCREMENT`, where the keys of the script grow',
        ],
        ['`varchar(20)`', '`VARCHAR[80]`: immudb counts bytes'],
        [
          '`DECIMAL`, `NUMERIC`',
          '`INTEGER` up to 18 digits without a point; else `FLOAT`, or `VARCHAR` if you choose it',
        ],
        ['`date`', '`TIMESTAMP` at midnight, UTC'],
        ['`time`, arrays, types of its own', '`VARCHAR` with their text'],
        ['`enum`', '`VARCHAR`; the list is not checked'],
        ['A key behind the rows', 'Part of `CREATE TABLE`'],
        [
          'A unique index behind the rows',
          'Made with its table, because immudb makes one only on an empty table',
        ],
        ['No key', 'A column `row_id` that counts'],
        ['`COPY`, long `INSERT`', 'Rows, up to 1,024 entries in a transaction'],
        ['`INSERT IGNORE`, `ON CONFLICT DO NOTHING`', '`ON CONFLICT DO NOTHING`'],
        ['`REPLACE`', '`UPSERT`'],
        ['Texts, bytes, times, booleans', 'The same value'],
        ['`0000-00-00`', '`NULL`, where the column takes it'],
        ['`CURRENT_TIMESTAMP`, a new UUID', '`NOW()`, `RANDOM_UUID()`, for columns of that type'],
      ),
      table(
        ['Left out', 'Because'],
        ['`FOREIGN KEY`', 'immudb does not check them'],
        ['`CHECK`', 'immudb refuses `NULL` by one, and others do not'],
        [
          'Indexes',
          'Without a longest length, on expressions, or with more than 1,024 bytes together with the key',
        ],
        ['`SET`, `LOCK`, `PRAGMA`', 'Settings of the other database'],
        ['`BEGIN`, `COMMIT`', 'The console makes transactions of its own'],
        ['What a `ROLLBACK` takes back', 'The script does not want it'],
        ['`GRANT`, users', 'Set in [Users](/users)'],
        ['Views, triggers, functions', 'The console brings tables and rows'],
      ),
      list(
        'What cannot run is named with its line and reason, also a row of many; the others are sent.',
        'A change or deletion where `NULL` could meet `<`, `<>` or `NOT` is not sent: to immudb `NULL` is the smallest value, and it would find other rows. Times without a zone are UTC. Bytes that are not digits are read from scripts in UTF-8 alone.',
        'A `ROLLBACK` without `BEGIN` takes nothing back: remove what stands before it.',
        'Of immudb’s own SQL also views, sequences and rows that are calculated run as they are, each alone.',
        'Nothing is sent of a file that changes after it was read: choose it again.',
        'Consecutive rows of one table share transactions; every other statement has its own. `BEGIN` and `COMMIT` of the script join nothing into one transaction.',
        'Where it stops, and at its end, each statement shows what became of it: committed with its transactions, refused with the reason, left out, not sent, or unknown. *Export* saves that without a value of the script. With the same file the console shows it again later, in this browser.',
        'What drops, truncates, or changes all rows of a table is listed first and asked about.',
        'It goes on after a pause, a reload or a log-out like an [import of CSV](#sql-import), with the same file. Without an answer the console looks for the table, the index or the keys; where they cannot tell, you decide.',
      ),
    ],
  },
  {
    id: 'sql-alter',
    title: 'Changing tables',
    blocks: [
      sql('ALTER TABLE items ADD COLUMN note VARCHAR[100]', committed),
      sql('ALTER TABLE items RENAME COLUMN note TO remark', committed),
      sql('ALTER TABLE items DROP COLUMN remark', committed),
      '`DROP` and `TRUNCATE` take columns, rows and their past out of reach of SQL; the console asks first. What was dropped stays stored: confidential data is not removed.',
    ],
  },
  {
    id: 'sql-index',
    title: 'Indexes',
    blocks: [
      'Table and columns identify an index. A unique one needs an empty table.',
      sql('CREATE INDEX ON items (price)', committed),
      sql(
        'CREATE TABLE members (id INTEGER AUTO_INCREMENT, mail VARCHAR[80], PRIMARY KEY id);\nCREATE UNIQUE INDEX ON members (mail)',
        committed,
        committed,
      ),
      sql("INSERT INTO members (mail) VALUES ('ada@example.org')", changed(1)),
      sql(
        "INSERT INTO members (mail) VALUES ('ada@example.org')",
        failed('A row with this primary key or unique value already exists.'),
      ),
      sql(
        'CREATE UNIQUE INDEX ON members (id, mail)',
        failed('Unique index creation is only supported on empty tables.'),
      ),
      '`NULL` counts as a value in a unique column:',
      sql(
        'INSERT INTO members (mail) VALUES (NULL), (NULL)',
        failed('A row with this primary key or unique value already exists.'),
      ),
      sql('DROP INDEX ON items (price)', committed),
    ],
  },
  {
    id: 'sql-checks',
    title: 'Checks and foreign keys',
    blocks: [
      'A `CHECK` holds for every row written. immudb 1.11.1 cannot drop or truncate a table that has one, and refuses every write after a column in it was renamed.',
      sql(
        'CREATE TABLE deposits (id INTEGER AUTO_INCREMENT, amount INTEGER, PRIMARY KEY id, CHECK amount > 0)',
        committed,
      ),
      sql(
        'INSERT INTO deposits (amount) VALUES (-5)',
        failed('Check constraint violation: (amount > 0).'),
      ),
      sql(
        'DROP TABLE deposits',
        failed(
          'Not found: the server has no entry for this key.',
          'This version of the server cannot drop a table that has a CHECK constraint.',
        ),
      ),
      sql(
        'TRUNCATE TABLE deposits',
        failed(
          'Not found: the server has no entry for this key.',
          'This version of the server cannot truncate a table that has a CHECK constraint.',
        ),
      ),
      'immudb does not enforce a `FOREIGN KEY`:',
      sql(
        `CREATE TABLE cards (
  id INTEGER,
  member_id INTEGER,
  PRIMARY KEY id,
  FOREIGN KEY (member_id) REFERENCES members(id)
)`,
        committed,
      ),
      sql('INSERT INTO cards (id, member_id) VALUES (1, 99)', changed(1)),
    ],
  },
  {
    id: 'sql-catalogue',
    title: 'Schema',
    blocks: [
      sql(
        'SHOW TABLES',
        rows('name', ['items'], ['stock'], ['tickets'], ['members'], ['deposits'], ['cards']),
      ),
      sql(
        "SELECT name, type, nullable, indexed FROM COLUMNS('members')",
        rows(
          'name type nullable indexed',
          ['id', 'INTEGER', 'true', 'true'],
          ['mail', 'VARCHAR', 'true', 'true'],
        ),
      ),
      sql("SELECT name FROM INDEXES('members')", rows('name', ['members(id)'], ['members(mail)'])),
      list(
        'Columns of a primary key are never nullable, whatever this says.',
        '`EXPLAIN`, or *Explain*, shows how the server would answer a `SELECT`, not which index it uses.',
      ),
      sql(
        'EXPLAIN SELECT * FROM items WHERE id = 1',
        rows('plan', ['-> Seq Scan on items'], ['  Filter: (id = 1)']),
      ),
    ],
  },
]
