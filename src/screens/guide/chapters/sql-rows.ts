import {
  changed,
  committed,
  failed,
  list,
  note,
  nothing,
  rows,
  type Section,
  sql,
  table,
} from '../guide'

/** Writing and reading rows. */
export const sqlRows: readonly Section[] = [
  {
    id: 'sql-write',
    title: 'Writing rows',
    blocks: [
      '`INSERT` refuses a key that exists; `UPSERT` adds or replaces, and needs the key.',
      sql(
        "INSERT INTO items (name, price) VALUES ('Lamp', 24.5), ('Chair', 79.0), ('Shelf', NULL)",
        changed(3),
      ),
      sql(
        "INSERT INTO items (id, name) VALUES (1, 'Lamp')",
        failed('A row with this primary key or unique value already exists.'),
      ),
      sql("INSERT INTO items (id, name) VALUES (1, 'Lamp') ON CONFLICT DO NOTHING", nothing),
      sql("UPSERT INTO items (id, name, price) VALUES (3, 'Shelf', 45.0)", changed(1)),
      sql("UPDATE items SET price = 22.0 WHERE name = 'Lamp'", changed(1)),
      sql('DELETE FROM items WHERE id = 2', changed(1)),
      'No change, no transaction:',
      sql("UPDATE items SET price = 1.0 WHERE name = 'Nobody'", nothing),
      'The console asks before one without `WHERE`; [Settings](/settings) can turn that off.',
    ],
  },
  {
    id: 'sql-read',
    title: 'Reading rows',
    blocks: [
      sql(
        'SELECT name, price FROM items ORDER BY price DESC LIMIT 2',
        rows('name price', ['Shelf', '45'], ['Lamp', '22']),
      ),
      sql('SELECT name FROM items WHERE price > 40.0', rows('name', ['Shelf'])),
      '`LIKE`: `%` is any text, `_` one character. `ILIKE` ignores capitals.',
      sql("SELECT name FROM items WHERE name LIKE 'L_mp'", rows('name', ['Lamp'])),
      sql("SELECT name FROM items WHERE name ILIKE 'sh%'", rows('name', ['Shelf'])),
      list('`LIMIT 0`: no limit.', 'A name given by `AS` cannot stand in `WHERE`.'),
    ],
  },
  {
    id: 'sql-null',
    title: 'NULL',
    blocks: [
      'Unlike the standard, `NULL` equals itself and is smaller than any other value. Comparisons find it, too:',
      sql("INSERT INTO items (name) VALUES ('Stool')", changed(1)),
      sql('SELECT name FROM items WHERE price = NULL', rows('name', ['Stool'])),
      sql('SELECT name FROM items WHERE price < 40.0', rows('name', ['Lamp'], ['Stool'])),
      'Ascending, it comes first:',
      sql(
        'SELECT name, price FROM items ORDER BY price LIMIT 2',
        rows('name price', ['Stool', null], ['Lamp', '22']),
      ),
      'A `NULL` fraction cannot be compared with a whole number. Write the decimal point:',
      sql(
        'SELECT name FROM items WHERE price > 40',
        failed('Values are not comparable: when evaluating WHERE clause.'),
      ),
      sql('SELECT name FROM items WHERE price > 40.0', rows('name', ['Shelf'])),
      '`IS NULL` and `IS NOT NULL` are standard:',
      sql(
        'SELECT name FROM items WHERE price < 40.0 AND price IS NOT NULL',
        rows('name', ['Lamp']),
      ),
    ],
  },
  {
    id: 'sql-calculate',
    title: 'Calculating',
    blocks: [
      'Whole numbers divide to whole numbers:',
      sql(
        'SELECT 7 / 2 AS whole, 7 / 2.0 AS part, 7 % 2 AS rest',
        rows('whole part rest', ['3', '3.5', '1']),
      ),
      'No exponents: `1e5` is 1 with the name `e5`.',
      sql('SELECT 1e5', rows('e5', ['1'])),
      '`CONCAT` joins texts; `LENGTH` counts bytes:',
      sql(
        "SELECT CONCAT(name, '!') AS called, UPPER(name) AS loud, LENGTH('Zürich') AS bytes FROM items WHERE id = 1",
        rows('called loud bytes', ['Lamp!', 'LAMP', '7']),
      ),
      sql(
        "SELECT name, CASE WHEN price > 40.0 THEN 'dear' ELSE 'cheap' END AS class FROM items WHERE price IS NOT NULL",
        rows('name class', ['Lamp', 'cheap'], ['Shelf', 'dear']),
      ),
    ],
  },
  {
    id: 'sql-groups',
    title: 'Counting and grouping',
    blocks: [
      '`COUNT`, `SUM`, `AVG`, `MIN` and `MAX`: of all rows or of groups. Unnamed, they are `col0`, `col1` and so on.',
      sql(
        'SELECT COUNT(*) AS found, SUM(price) AS total, AVG(price) AS mean FROM items',
        rows('found total mean', ['3', '67', '33.5']),
      ),
      sql(
        'CREATE TABLE orders (id INTEGER AUTO_INCREMENT, buyer VARCHAR[20], total FLOAT, PRIMARY KEY id)',
        committed,
      ),
      sql(
        "INSERT INTO orders (buyer, total) VALUES ('Ada', 20.0), ('Ada', 35.0), ('Ben', 8.0)",
        changed(3),
      ),
      sql(
        'SELECT buyer, COUNT(*) AS orders, SUM(total) AS total FROM orders GROUP BY buyer ORDER BY buyer',
        rows('buyer orders total', ['Ada', '2', '55'], ['Ben', '1', '8']),
      ),
      sql(
        'SELECT buyer, SUM(total) AS total FROM orders GROUP BY buyer HAVING SUM(total) > 10.0',
        rows('buyer total', ['Ada', '55']),
      ),
      sql(
        'SELECT buyer, total FROM orders GROUP BY buyer',
        failed(
          'A selected column is neither in GROUP BY nor inside an aggregate such as COUNT or MAX.',
        ),
      ),
    ],
  },
  {
    id: 'sql-joins',
    title: 'Several tables',
    blocks: [
      '`INNER`, `LEFT`, `FULL` and `CROSS` joins, `UNION`, `WITH`, views and queries in brackets work.',
      sql('CREATE TABLE people (name VARCHAR[20], city VARCHAR[20], PRIMARY KEY name)', committed),
      sql(
        "INSERT INTO people (name, city) VALUES ('Ada', 'Bern'), ('Ben', 'Basel'), ('Cleo', 'Chur')",
        changed(3),
      ),
      sql(
        'SELECT p.city, o.total FROM people p LEFT JOIN orders o ON o.buyer = p.name',
        rows('city total', ['Bern', '20'], ['Bern', '35'], ['Basel', '8'], ['Chur', null]),
      ),
      sql(
        'SELECT p.city, o.total FROM people p RIGHT JOIN orders o ON o.buyer = p.name',
        failed('Unsupported join type.'),
      ),
      sql(
        'SELECT city FROM people WHERE name IN (SELECT buyer FROM orders WHERE total > 30.0)',
        rows('city', ['Bern']),
      ),
      sql(
        'WITH large AS (SELECT buyer FROM orders WHERE total > 10.0) SELECT DISTINCT buyer FROM large',
        rows('buyer', ['Ada']),
      ),
    ],
  },
  {
    id: 'sql-json',
    title: 'JSON',
    blocks: [
      'An arrow leads into JSON. The result is JSON, so texts keep their double quotes.',
      sql('CREATE TABLE readings (id INTEGER, facts JSON, PRIMARY KEY id)', committed),
      sql(
        `INSERT INTO readings (id, facts) VALUES (1, '{"site": {"name": "north"}, "level": 7}')`,
        changed(1),
      ),
      sql(
        "SELECT facts->'site'->'name' AS site, facts->'level' AS level FROM readings",
        rows('site level', ['"north"', '7']),
      ),
    ],
  },
  {
    id: 'sql-transactions',
    title: 'Transactions in SQL',
    blocks: [
      'Each statement is a transaction. Between `BEGIN TRANSACTION` and `COMMIT` several are one: all are stored, or none.',
      sql(
        `BEGIN TRANSACTION;
UPDATE orders SET total = 25.0 WHERE id = 1;
UPDATE orders SET total = 30.0 WHERE id = 2;
COMMIT`,
        changed(2),
      ),
      sql(
        `BEGIN TRANSACTION;
DELETE FROM orders WHERE id = 3;
ROLLBACK`,
        nothing,
      ),
      sql(
        `BEGIN TRANSACTION;
DELETE FROM orders WHERE id = 3`,
        failed(
          'The transaction was not sent: BEGIN has no COMMIT or ROLLBACK behind it, so the server would drop it.',
        ),
      ),
      '*Run all* stops at the first statement that fails; what ran before stays.',
    ],
  },
  {
    id: 'sql-parameters',
    title: 'Parameters',
    blocks: [
      'Write `@name` where a value stands, such as `SELECT name FROM items WHERE id = @id`. A form beside the editor asks for its value. It is sent beside the statement and is never part of its text.',
      list(
        'The type is that of the column, function or cast it is compared with, added to or written to. Choose another where the form cannot know. A name that is used with two types says so.',
        'The server ignores case: `@Id` and `@id` are one. Comparing with NULL finds rows without a value.',
        'Further pages, files and plans use the same values. The output shows them.',
        'This tab keeps values over a reload. The code history keeps only the names.',
        'A link may fill the form: `?sql=…&p.id=7`, or `?query=…&p.id=7` for a saved query. `p.id.as=FLOAT` names a type, `p.id.as=NULL` stands for NULL. It never runs. “Copy link” leaves values out unless you choose them.',
        '`CREATE` and `ALTER` take none: the server would keep the name without its value. `?` and `$1` are not sent either.',
      ),
    ],
  },
  {
    id: 'sql-charts',
    title: 'Charts of results',
    blocks: [
      '“Chart” below a result draws its rows as a line, as bars or as points. Choose what goes along, which columns are drawn, and a column with a series for each of its values.',
      list(
        'Numbers are exact below the drawing and in “Table”, also beyond 2^53. Arrow keys go from point to point.',
        'NULL is a gap. NaN, Infinity and numbers beyond 1e307 are not drawn. The chart counts what it leaves out.',
        'It draws the rows that are here, at most 100,000, and says how many there are. “Load all rows” fetches the others in pages.',
        'The editor keeps the choice. The next result with the same columns is drawn at once. Where columns of a saved chart are gone, the result says which.',
        '“PNG” and “SVG” save the drawing with its statement, database and moment, but without the values of parameters.',
      ),
    ],
  },
  {
    id: 'sql-editors',
    title: 'Several editors',
    blocks: [
      'Editors are tabs of [Query](/query), each with its own text, moment and output. {Alt+T} opens one, {Alt+W} closes it, {Alt+Shift+T} brings it back. A name, a copy, a file: in the menu of a tab or behind *…*.',
      list(
        'An editor belongs to one database and never runs in another. *All editors* lists those of other databases, and closed ones. Showing one of another database opens that database.',
        'Texts stay in this browser, also after a log-out. Passwords are left out. Output lasts until the page closes.',
        'Of a database 50 editors can be open. The last 30 closed ones are kept, with at most 2,000,000 characters beside those of the last.',
        'What runs goes on while you use another editor. `USE` takes its run along.',
        'The address names the shown editor. Another browser does not have it, and says so.',
      ),
    ],
  },
  {
    id: 'sql-refused',
    title: 'Refused statements',
    blocks: [
      'The server reports success for these and does something else:',
      sql(
        "INSERT INTO people (name) VALUES ('Dora') RETURNING name",
        failed(
          'INSERT … RETURNING was not sent: this server reports success but stores nothing. Run it without RETURNING, then select the rows.',
        ),
      ),
      list(
        '`ROLLBACK TO` a savepoint: the server ignores it and would store everything.',
        'A block without its end.',
        '`USE` a database: the console opens it itself.',
      ),
    ],
  },
  {
    id: 'sql-limits',
    title: 'Limits',
    blocks: [
      table(
        ['What', 'Limit', 'Beyond it'],
        ['One answer', '2,500 rows', 'Page by page; *Export* takes all'],
        ['One answer, in bytes', '4 MiB', 'Ask for fewer rows or columns'],
        ['One transaction', '1,024 entries: rows and index entries', 'Nothing is stored'],
      ),
      note('The number of entries is fixed when a database is created.'),
    ],
  },
  {
    id: 'sql-saved',
    title: 'Saved queries',
    blocks: [
      '{Ctrl+S} in the editor of [Query](/query) saves its text under a name, in folders such as `reports/daily`. *Saved queries* lists, searches and opens them; a link opens one, too. Nothing runs by itself.',
      table(
        ['Kept in', 'Who has it'],
        ['This browser', 'You, on this server. Other tabs see each change.'],
        ['A file', 'Whoever has the file. *Import* first shows what is new and what differs.'],
        [
          'The database',
          'Everyone who may read it; whoever may write can change it. It stays in the history for ever.',
        ],
      ),
      'A shared query is one key, `webconsole/queries/` and its id, with JSON as its value: `format`, `version`, `id`, `name`, `folder`, `description`, `text`. So it has revisions and proofs like any key. The console writes no other keys of its own. A file holds `product`, `schema` and `queries`, each as the value of its key with its `database`.',
      list(
        'Changed by someone else since you opened it: nothing is saved, and you see both.',
        'Deleting a shared query deletes its key. *History* of the key still has it, and restores it.',
        'Records that are damaged, or of a newer console, are listed and left as they are.',
        'A password in a text is not saved.',
      ),
    ],
  },
]
