import { type Chapter, changed, committed, failed, list, note, rows, sql } from '../guide'

export const troubleshooting: Chapter = {
  id: 'trouble',
  title: 'Troubleshooting',
  intro: 'Search for the words of the message.',
  sections: [
    {
      id: 'trouble-login',
      title: 'The login comes back',
      blocks: [
        list(
          'The server was restarted and forgot all logins. What you typed is still there.',
          'The token expired, after a day unless set otherwise.',
          'Your password or permission was changed. Ask your admin.',
          '“Invalid user name or password” also appears for unknown users. “User is not active”: an admin deactivated you.',
        ),
      ],
    },
    {
      id: 'trouble-reach',
      title: 'The server cannot be reached',
      blocks: [
        'The console tries again and keeps what you typed. If the page loads and only the data is missing:',
        list(
          '“Failed to verify certificate”: the server does not trust its own certificate. Its system must know the authority, and the certificate must name the address. `immudb --auto-cert` avoids both.',
          'Answers that are not from immudb: a proxy in front answers in its place.',
          '“Authentication disabled”: the server runs with `--auth=false`. SQL does not work then.',
        ),
      ],
    },
    {
      id: 'trouble-database',
      title: 'A database cannot be opened',
      blocks: [
        list(
          '“Unloaded on the server”: an admin can load it on [Databases](/databases).',
          '“Does not exist”: it was deleted, or the link is about another server.',
          '“Already exists”, though none is listed: the name of a deleted database is kept until a restart.',
          'No permission: an admin can give you one on [Users](/users).',
        ),
        'While any database is unloaded, immudb gives no figures of the whole server.',
      ],
    },
    {
      id: 'trouble-unknown',
      title: 'Unknown writes',
      blocks: [
        'The request left and no answer came. It may have been stored, or may still be.',
        'The console never repeats a write. A browser may, after a broken connection; `webconsole` prevents that, immudb alone does not. The note of each write says which is the case.',
        '*Check now* lists transactions since then that wrote the same rows. They do not say who sent them, so compare before you run it again.',
      ],
    },
    {
      id: 'trouble-names',
      title: 'Table or column does not exist',
      blocks: [
        'Often a text without quotes was read as a column, or another database is open.',
        sql(
          'CREATE TABLE towns (id INTEGER AUTO_INCREMENT, name VARCHAR[40], PRIMARY KEY id)',
          committed,
        ),
        sql("INSERT INTO towns (name) VALUES ('Bern')", changed(1)),
        sql(
          'SELECT id FROM towns WHERE name = Bern',
          failed('Column does not exist (bern): when evaluating WHERE clause.'),
        ),
        sql("SELECT id FROM towns WHERE name = 'Bern'", rows('id', ['1'])),
        sql('SELECT * FROM cities', failed('Table does not exist (cities).')),
      ],
    },
    {
      id: 'trouble-syntax',
      title: 'Syntax error',
      blocks: [
        'The mistake is at the underlined word or right before it. Often it is a reserved word: see [Names and quotes](#sql-names).',
        sql(
          'SELECT COUNT(*) AS rows FROM towns',
          failed('Syntax error: did not expect ROWS (rows) here.'),
        ),
        sql('SELECT COUNT(*) AS "rows" FROM towns', rows('rows', ['1'])),
        sql('SELEC 1', failed('Syntax error: did not expect a name (SELEC) here.')),
        sql(
          "SELECT name || '!' FROM towns",
          failed('Syntax error: did not expect a character that SQL does not use (|) here.'),
        ),
      ],
    },
    {
      id: 'trouble-values',
      title: 'Values are refused',
      blocks: [
        sql(
          "SELECT id FROM towns WHERE id = '1'",
          failed('Values are not comparable: when evaluating WHERE clause.'),
        ),
        sql(
          "INSERT INTO towns (name) VALUES ('A town whose name is longer than forty letters')",
          failed('Max length exceeded: table: towns, column: name.'),
        ),
        sql(
          "SELECT CAST('abc' AS INTEGER) AS number",
          failed(
            "Invalid value provided: unsupported cast: can not cast string 'abc' as a INTEGER.",
          ),
        ),
        '“Values are not comparable”: two types cannot be compared. See [Types](#sql-types) and [NULL](#sql-null).',
      ],
    },
    {
      id: 'trouble-rights',
      title: 'Permission denied, access denied',
      blocks: [
        '“Permission denied”: your permission on the open database is too low. “Access denied” with the name of a privilege: see [SQL privileges](#users-privileges).',
      ],
    },
    {
      id: 'trouble-large',
      title: 'The answer is too large',
      blocks: [
        'immudb sends at most 4 MiB and 2,500 rows at once; see [Limits](#sql-limits). Select fewer columns or rows.',
      ],
    },
    {
      id: 'trouble-figures',
      title: 'Figures and charts are missing',
      blocks: [
        'The browser cannot reach the metrics port: closed, bound to another address, or the page is encrypted and the metrics are not. [Settings](/settings) names another host.',
        note('What immudb calls stored entries is the number of the last transaction.'),
      ],
    },
    {
      id: 'trouble-shorter',
      title: 'History is shorter than before',
      blocks: [
        'This browser has seen more transactions than the server has now: a backup was restored, the database was created again, or another server answers. If nobody planned that, do not write, and ask who changed the server.',
      ],
    },
  ],
}
