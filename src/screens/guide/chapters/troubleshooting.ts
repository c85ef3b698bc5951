import { type Chapter, changed, committed, failed, list, note, rows, sql } from '../guide'

export const troubleshooting: Chapter = {
  id: 'trouble',
  title: 'Troubleshooting',
  intro: 'What you see, what it means, and what to do. Search for the words of the message.',
  sections: [
    {
      id: 'trouble-login',
      title: 'The login comes back',
      blocks: [
        list(
          'The server was restarted: it forgets all logins. Log in; what you typed is still there.',
          'The token expired, a day after the login unless the server is set otherwise.',
          'Your password or permission was changed. Ask your admin.',
          '“Invalid user name or password” also appears for users who were never added. “User is not active” means that an admin deactivated you.',
        ),
      ],
    },
    {
      id: 'trouble-reach',
      title: 'The server cannot be reached',
      blocks: [
        'The console tries again by itself and keeps what you typed. When only the data is missing while the page itself loads, look at these:',
        list(
          '“Failed to verify certificate”: the server does not trust its own certificate. The system of the server must know its authority, and the certificate must name the address it is bound to. `immudb --auto-cert` avoids both.',
          'Answers that are not from immudb: something in front of the server, such as a proxy, answers in its place.',
          '“Authentication disabled”: the server runs with `--auth=false`, and there is nothing to log in to. SQL does not work then.',
        ),
      ],
    },
    {
      id: 'trouble-database',
      title: 'A database cannot be opened',
      blocks: [
        list(
          '“The database is unloaded on the server”: an admin of it can load it on [Databases](/databases).',
          '“The database does not exist”: it was deleted, or the link you followed is about another server.',
          '“Database already exists”, though none of that name is listed: until a restart, immudb 1.11.1 keeps the name of a deleted database.',
          'No permission: an admin of that database can give you one on [Users](/users).',
        ),
        'While any database is unloaded, immudb gives no figures of the whole server. Some on the [Overview](/) may be missing.',
      ],
    },
    {
      id: 'trouble-unknown',
      title: 'Nobody knows whether it was committed',
      blocks: [
        'The request left, and no answer came back: the connection broke, or the server took too long. The statement may have been stored, or may still be stored.',
        'The console does not repeat a write that may have run. The browser may repeat it by itself after a broken connection, and then it may be stored several times. The program `webconsole` prevents this for browsers that reach it directly. immudb alone does not, and behind a proxy the console cannot know. The note of each write says which is the case.',
        '*Check now* counts the transactions since and lists possible copies: those that wrote the same rows. Transactions do not say who sent them. Compare the rows, and run the statement again only when you are sure.',
      ],
    },
    {
      id: 'trouble-names',
      title: 'Table or column does not exist',
      blocks: [
        'Most often a text without quotes was read as a column, or another database is open than you think.',
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
        'The editor underlines the word at which the server gave up. The mistake is there or right before it. Often it is a reserved word used as a name: see [Names and quotes](#sql-names).',
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
        '“Values are not comparable” means that two types cannot be compared; see [Types](#sql-types) and [NULL](#sql-null).',
      ],
    },
    {
      id: 'trouble-rights',
      title: 'Permission denied, access denied',
      blocks: [
        '“Permission denied” means that your permission on the open database is too low. “Access denied” with the name of a privilege means that an SQL privilege is missing. That may happen although the permission is right: see [SQL privileges](#users-privileges).',
      ],
    },
    {
      id: 'trouble-large',
      title: 'The answer is too large',
      blocks: [
        'immudb sends at most 4 MiB and 2,500 rows at once; see [Limits](#sql-limits). Select fewer columns, or narrow the rows. The server may be in order, and trying again does not help.',
      ],
    },
    {
      id: 'trouble-figures',
      title: 'Figures and charts are missing',
      blocks: [
        'Your browser cannot reach the metrics port. It is closed or bound to another address, or the page is encrypted and the metrics are not. [Settings](/settings), under Metrics, names another host.',
        note('The figure that immudb calls stored entries is the number of the last transaction.'),
      ],
    },
    {
      id: 'trouble-shorter',
      title: 'History is shorter than before',
      blocks: [
        'This browser has seen more transactions in the database than the server has now. A backup may have been restored, the database created again, or another server may answer at this address. If nobody planned that, take it seriously: do not write, and ask who changed the server.',
      ],
    },
  ],
}
