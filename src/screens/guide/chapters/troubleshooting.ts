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
          'The server was restarted and forgot all logins. What you typed is kept.',
          'The token expired, after a day unless set otherwise.',
          'Your password or permission was changed: ask your admin.',
          '“Invalid user name or password”: also for unknown users. “User is not active”: an admin deactivated you.',
        ),
      ],
    },
    {
      id: 'trouble-reach',
      title: 'The server cannot be reached',
      blocks: [
        'The console tries again and keeps what you typed. If only the data is missing:',
        list(
          '“Failed to verify certificate”: the server does not trust its own. Its system must know the authority, and the certificate name the address. `immudb --auto-cert` avoids both.',
          'Answers not from immudb: a proxy in front.',
          '“Authentication disabled”: with `--auth=false` SQL does not work.',
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
          '“Already exists”, though not listed: the name of a deleted database is kept until a restart.',
          'No permission: an admin can give one on [Users](/users).',
        ),
        'While a database is unloaded, immudb gives no figures of the whole server.',
      ],
    },
    {
      id: 'trouble-unknown',
      title: 'Unknown writes',
      blocks: [
        'The request left and no answer came. It may have been stored, or may still be.',
        'The console never repeats a write. A browser may, after a broken connection: `webconsole` prevents that, immudb alone does not. The note of a write says which.',
        '*Check now* lists later transactions that wrote the same rows. They do not say who sent them: compare before you run it again.',
      ],
    },
    {
      id: 'trouble-names',
      title: 'Table or column does not exist',
      blocks: [
        'Often a text without quotes is read as a column, or another database is open.',
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
        'At the underlined word or right before it. Often a reserved word: see [Names and quotes](#sql-names).',
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
        '“Values are not comparable”: see [Types](#sql-types) and [NULL](#sql-null).',
      ],
    },
    {
      id: 'trouble-rights',
      title: 'Permission denied, access denied',
      blocks: [
        '“Permission denied”: too low a [permission](#users-levels) on the open database. “Access denied”: a missing [SQL privilege](#users-privileges), which is named.',
      ],
    },
    {
      id: 'trouble-large',
      title: 'The answer is too large',
      blocks: ['Select fewer columns or rows: see [Limits](#sql-limits).'],
    },
    {
      id: 'trouble-limits',
      title: 'A limit is reached',
      blocks: [
        'A message that ends with *See “…” in Limits* leads to that limit. All of them are behind *Limits of this server* on [Overview](/). [Servers](/servers) says of each server which limit is nearest.',
        list(
          'Each says what is allowed, what is in use, what happens at the limit and what moves it.',
          'Settings of a database are as the server reports them. Flags of immudb are not reported: the usual number stands there.',
          'immudb counts open sessions and files. Nobody counts snapshots, commits and transactions under way: they are “not known”.',
          '“Too many open files”: a write may be done all the same. Look before you write again.',
        ),
      ],
    },
    {
      id: 'trouble-figures',
      title: 'Figures and charts are missing',
      blocks: [
        'The browser cannot reach the metrics port: closed, bound to another address, or the page is encrypted and the metrics are not. Another address: [Settings](/settings), or `webconsole --metrics URL`.',
        note('immudb’s “stored entries” is the number of the last transaction.'),
      ],
    },
    {
      id: 'trouble-shorter',
      title: 'History is shorter than before',
      blocks: [
        'This browser saw more transactions than the server has now: a backup was restored, the database created again, or another server answers. If nobody planned that, [do not write](#verify-broken).',
      ],
    },
  ],
}
