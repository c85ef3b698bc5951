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
      'In the list of tables on [Query](/query), press a name to open the table in a tab beside the editor. The address names the table, its filter and its order, so a link shows the same rows to others.',
      list(
        '*Rows* come a page at a time. The server seeks to the key in front of a page, so the last page is as quick as the first. *Count rows* reads all rows on the server.',
        '*Filter* builds conditions by column and type and shows the statement. What is sent has the values as parameters. `NULL` is smaller than every value here, so `<`, `<=` and `!=` let it through.',
        'Press the title of a column to order by it; press again to turn the order round. Where no index begins with the column, the server reads and sorts every row for each page. `JSON` has no order.',
        '*Columns* hides and moves columns. This browser keeps the choice; links and exports have all columns.',
        '{Alt+R} shows a whole row, {Alt+H} its history, {Alt+V} verifies it. Chosen rows can be copied as INSERT, JSON or CSV, and *Export* saves all rows that the filter lets through.',
        '*Structure*, *Indexes* and *DDL* show what the server reports of the table, and statements that make one like it. No call tells the checks of a table: the console reads them from the transactions.',
      ),
      'As of a moment in the past the rows are those of that moment. A view has neither key nor history: its rows are counted off, and it is always that of now.',
    ],
  },
  {
    id: 'sql-edit',
    title: 'Changing rows in a table',
    blocks: [
      'Type on a cell to replace its value; a double press or {Enter} opens the value that is there. {Enter} then goes down, {Tab} on to the next cell, {Escape} gives up this cell. *Large*, or *Edit* in the whole row, has more room for JSON and long texts. *Add row* adds one; *Duplicate* and *Delete* are for the rows that you choose by their numbers. Nothing is sent: your edits are staged, and *Undo* takes the last step back. [Shortcuts](#keyboard-rows) lists all keys.',
      '*Review changes* shows each row before and after; *Show the SQL* adds the statements with the values of their parameters. *Commit* reads the rows again and sends all statements as one transaction. All of them are committed, or none. Then this browser verifies the transaction.',
      list(
        'If someone else changed or deleted one of the rows, nothing is committed and everything stays staged. *Review changes* shows both values, and you decide which one stays. Every `UPDATE` and `DELETE` requires the old values of its row: even if a row changes at the last moment, the server refuses the whole transaction.',
        'A transaction holds 1,024 entries unless the database was created with another number. Each row takes one, and one more for each index of a changed column. *Review changes* counts them; *Discard* beside a row gives up that edit alone.',
        '`NULL` and an empty text are different; the field has a button for each. Times are in the zone in which they are shown, with six decimals, blobs in hex.',
        'A primary key cannot be changed. Duplicate the row with the new key and delete the old one.',
        'A row may give up its key, a unique value or an indexed value. Another row can take that only after the change was committed.',
        'An `UPDATE` of immudb takes `NULL` in a column that does not allow it. The console does not send that.',
        'immudb keeps numbers in JSON as doubles, so whole numbers above 2^53 are rounded.',
      ),
      'Staged edits stay in this browser after a reload and a logout. They are for you on this server, without the values that were read. When you come back, the rows are read again, and what someone else changed is shown.',
      'If no answer comes, it is not known whether the edits were committed. *Check now* compares the rows with what was staged. Nothing is sent twice by itself.',
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
      '*Import CSV*, above the tables of [Query](/query), brings rows of a file into a new or an existing table. The file stays on your computer; the console reads it in parts, however large it is.',
      list(
        'The console looks through the whole file and takes a type only where it keeps every value as it stands. `00501`, `1.50` and `2015-01-01` stay texts; types that write them otherwise are offered beside the column.',
        'A field with nothing in it is NULL. So is a word such as `NA`, but only in columns that are no texts. Under *NULL* each is counted and can be changed. A field in quotes is never NULL.',
        'A first line such as `sep=;` names the separator. *First line* says where the table begins below a title.',
        'Bytes that are no UTF-8 are read as Windows-1252 until you choose another encoding.',
        'A time without a zone is UTC. Bytes are written as `0x00ff`.',
        'Without a key in the file the server counts the rows: the table gets an `AUTO_INCREMENT` column.',
      ),
      '*Check the file* reads all of it before anything is sent. It lists each row that does not fit with its line and the reason. Change the types, or leave those rows out. Values that would be written otherwise are listed, too, and need your consent.',
      'Rows are inserted in transactions of up to 1,024 entries, or as many as the database takes if that is fewer. Each row and its place in every index is one entry. Each transaction is stored as a whole or not at all, and the console sends it once. It never overwrites a row: where a key is there already, the import stops and names the lines.',
      '*Pause* stops after the transaction under way. The page says which rows are committed, and in which transactions. While rows are left, the browser asks before the page is closed. After a logout, a reload or a lost connection choose the same file again to continue after them. This browser remembers the name of the file and how far the import is, but none of its values. *Log out and erase drafts* forgets that too.',
      'When a transaction has no answer, it may or may not be stored. With a key in the file the console looks for the rows and continues. Where the server makes the keys, rows that are sent again would be stored twice. The import then stops, shows what was added since, and you decide.',
      'A `FLOAT` and the numbers in `JSON` are doubles, so numbers with more than 15 to 17 digits are rounded. The check lists them. *CSV, exact values* comes back as it was. *CSV* for spreadsheets puts an apostrophe before texts that look like formulas, and says before how many; an import finds them and takes them off if you ask.',
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
