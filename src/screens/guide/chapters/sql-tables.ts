import { changed, committed, failed, list, nothing, rows, type Section, sql, table } from '../guide'

/** Making, changing and looking up tables. */
export const sqlTables: readonly Section[] = [
  {
    id: 'sql-create',
    title: 'Creating tables',
    blocks: [
      'Every table needs a primary key. `AUTO_INCREMENT` numbers an integer key. Lengths stand in square brackets.',
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
      'A key of several columns stands in brackets.',
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
        ['`INTEGER`', 'Whole numbers of 64 bits', '`42`'],
        ['`FLOAT`', 'Fractions of 64 bits', '`24.5`'],
        ['`VARCHAR[n]`', 'Text of up to n bytes; without `[n]` of any length', "`'it''s'`"],
        ['`BOOLEAN`', 'True or false', '`true`'],
        [
          '`TIMESTAMP`',
          'A moment in UTC, exact to a microsecond',
          "`CAST('2026-03-01 08:30:00' AS TIMESTAMP)`",
        ],
        ['`BLOB[n]`', 'Bytes', "`x'00FF'`"],
        [
          '`UUID`',
          'An identifier of 16 bytes',
          "`CAST('6ba7b810-9dad-11d1-80b4-00c04fd430c8' AS UUID)`",
        ],
        ['`JSON`', 'A JSON text; cannot be indexed', '`\'{"a": 1}\'`'],
      ),
      'Keys and indexed columns need a limit, at most 1,024 bytes unless set otherwise.',
      sql(
        'CREATE TABLE long_key (name VARCHAR, PRIMARY KEY name)',
        failed(
          "Indexed key of unsupported type or exceeded length: can not create index using column 'name'. Max key length for variable columns is 1024.",
        ),
      ),
      'Comparisons do not convert types: use `CAST`, or `::`.',
      sql(
        "SELECT CAST('12' AS INTEGER) AS number, '12'::INTEGER AS short",
        rows('number short', ['12', '12']),
      ),
      'An integer beyond 64 bits wraps around:',
      sql('SELECT 9223372036854775808 AS wrapped', rows('wrapped', ['-9223372036854775808'])),
    ],
  },
  {
    id: 'sql-names',
    title: 'Names and quotes',
    blocks: [
      'Single quotes hold text, double quotes a *name* of letters, digits and `_`. Names are kept in lower case.',
      sql("SELECT 'it''s text' AS words", rows('words', ["it's text"])),
      'Reserved words such as `order`, `count` and `rows` need double quotes as a name.',
      sql(
        'CREATE TABLE tickets (id INTEGER, order INTEGER, PRIMARY KEY id)',
        failed('Syntax error: did not expect ORDER (order) here.'),
      ),
      sql('CREATE TABLE tickets (id INTEGER, "order" INTEGER, PRIMARY KEY id)', committed),
      'A double-quoted word that is no known name is sent as text, and the result says so. [Settings](/settings) can turn that off.',
      sql('SELECT id FROM items WHERE name = "Lamp"', {
        ...rows('id'),
        note: '"Lamp" was sent as text \'Lamp\'',
      }),
      'Comments begin with `--`, or stand between `/*` and `*/`.',
    ],
  },
  {
    id: 'sql-browse',
    title: 'Looking through a table',
    blocks: [
      'Press a name in the list of [Query](/query) to open the table in a tab. The address names table, filter and order, so a link shows the same rows.',
      list(
        '*Rows* come a page at a time; the last page is as quick as the first. *Count rows* reads all of them on the server.',
        '*Filter* builds conditions by column and type, with a part for each that can be taken out. `NULL` is smaller than every value, so `<`, `≤` and `≠` let it through.',
        'Press the title of a column to order by it, again to turn the order round. Without an index that begins with it, the server sorts every row for each page, and the screen says so.',
        '*Columns* hides and moves columns in this browser; links and exports have all.',
        '{Alt+R} shows a whole row, {Alt+H} its history, {Alt+V} verifies it. Chosen rows can be copied as INSERT, JSON or CSV; *Export* saves all that the filter lets through.',
        '*Structure*, *Indexes* and *DDL* show what the server reports, and statements that make a table like it. Checks are read from the transactions.',
      ),
      'A view has neither key nor history, and is always that of now.',
    ],
  },
  {
    id: 'sql-edit',
    title: 'Changing rows in a table',
    blocks: [
      'Type on a cell to replace its value, or open it with {Enter} or a double press. {Enter} goes down, {Tab} on, {Escape} gives up this cell. *Large* has more room. Blocks are copied and pasted as in a spreadsheet. Nothing is sent: edits are staged, and {Ctrl+Z} takes the last step back. [Shortcuts](#keyboard-rows) lists all keys.',
      '*Review changes* shows each row before and after. *Commit* reads the rows again and sends everything as one transaction: all of it is committed, or nothing. Then this browser verifies it.',
      list(
        'If someone else changed or deleted one of the rows, even at the last moment, nothing is committed. *Review changes* shows both values, and you decide.',
        'A transaction holds 1,024 entries unless set otherwise: one for each row, and one for each index of a changed column. *Review changes* counts them.',
        '{Delete} sets NULL, which is not an empty text. Times are in the zone in which they are shown, blobs in hex.',
        'A primary key cannot be changed: duplicate the row and delete the old one.',
        'What one row gives up of a key or a unique value, another can take only after the commit.',
        'immudb takes `NULL` in a column that does not allow it. The console does not send that.',
        'Numbers in JSON are doubles: above 2^53 they are rounded.',
      ),
      'Staged edits survive a reload and a log-out, without the values that were read. Then the rows are read again, and what someone else changed is shown.',
      'Without an answer it is unknown whether they were committed: *Check now* compares the rows.',
    ],
  },
  {
    id: 'sql-forms',
    title: 'Changing tables by forms',
    blocks: [
      'The plus beside *Tables* creates one. *Structure* and *Indexes* change it. Each form shows its statement while you type. To drop something you type its name.',
      list(
        'Dropped columns and tables disappear from queries, also of the past. Their values stay in the history.',
        'A unique index can be created only on a table without rows.',
        'Do not rename a column that a `CHECK` names: immudb 1.11.1 then refuses every write to the table.',
      ),
    ],
  },
  {
    id: 'sql-import',
    title: 'Importing a CSV file',
    blocks: [
      '*Import CSV* on [Query](/query) brings rows of a file into a new or an existing table. The file may have any size.',
      list(
        'A type is taken only where it keeps every value as it stands: `00501` and `1.50` stay texts. Other types are offered beside the column.',
        'An empty field is NULL, and so is a word such as `NA` in columns that are no texts. *NULL* counts each and can change it. A field in quotes is never NULL.',
        '`sep=;` as the first line names the separator. *First line* says where the table begins.',
        'Bytes that are no UTF-8 mean Windows-1252 until you choose otherwise.',
        'A time without a zone is UTC. Bytes are written as `0x00ff`.',
        'Without a key the table gets an `AUTO_INCREMENT` column.',
      ),
      '*Check the file* lists each row that does not fit, with line and reason: change the types, or leave them out. Values that would be written otherwise need your consent.',
      'Rows go in transactions of up to 1,024 entries, each stored as a whole or not at all. Where a key exists already, the import stops and names the lines.',
      '*Pause* stops after the transaction under way. After a log-out, a reload or a lost connection choose the same file again to continue. This browser remembers its name and how far it is, and no values.',
      'Without an answer the console looks for the rows by their key and continues. Where the server makes the keys, it stops, shows what was added since, and you decide.',
      '*CSV, exact values* comes back as it was. *CSV* for spreadsheets puts an apostrophe before texts that look like formulas, and says how many; an import takes them off if you ask.',
    ],
  },
  {
    id: 'sql-alter',
    title: 'Changing tables',
    blocks: [
      sql('ALTER TABLE items ADD COLUMN note VARCHAR[100]', committed),
      sql('ALTER TABLE items RENAME COLUMN note TO remark', committed),
      sql('ALTER TABLE items DROP COLUMN remark', committed),
      'A dropped column cannot be asked for, but its content stays stored: dropping does not remove confidential data.',
      '`DROP TABLE` and `TRUNCATE TABLE` take the rows and their past out of reach of SQL. The console asks first.',
    ],
  },
  {
    id: 'sql-index',
    title: 'Indexes',
    blocks: [
      'An index makes searching and sorting quick. Its table and columns identify it. A unique one needs an empty table.',
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
      'A `CHECK` holds for every row written. immudb 1.11.1 cannot drop or truncate a table that has one.',
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
    title: 'Looking things up',
    blocks: [
      '[Query](/query) shows tables, columns and indexes on the left. By SQL:',
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
        'The columns of a primary key are not nullable, whatever this says.',
        '`EXPLAIN`, or the button *Explain*, shows how the server would answer a `SELECT`, not which index it uses.',
      ),
      sql(
        'EXPLAIN SELECT * FROM items WHERE id = 1',
        rows('plan', ['-> Seq Scan on items'], ['  Filter: (id = 1)']),
      ),
    ],
  },
]
