import { type Chapter, list, note, rows, sql, table } from '../guide'

export const users: Chapter = {
  id: 'users',
  title: 'Users and permissions',
  intro: 'Who may log in and do what.',
  sections: [
    {
      id: 'users-levels',
      title: 'Permissions',
      blocks: [
        'A user has at most one permission on each database. Only the user `immudb` is system admin.',
        table(
          ['May', 'Read', 'Read & write', 'Admin', 'System admin'],
          ['Read tables, keys, transactions, proofs', 'yes', 'yes', 'yes', 'yes'],
          ['Write rows and keys, change tables', '–', 'yes', 'yes', 'yes'],
          ['Flush, compact', '–', '–', 'yes', 'yes'],
          ['Load, unload, set up, truncate, delete the database', '–', '–', 'yes', 'yes'],
          ['Add users, change their permissions on it', '–', '–', 'yes', 'yes'],
          ['Create databases', '–', '–', '–', 'yes'],
        ),
        '[Users](/users) shows an admin the users of the open database, the system admin all, and others themselves.',
      ],
    },
    {
      id: 'users-add',
      title: 'Adding a user',
      blocks: [
        list(
          'Name: 1 to 63 characters, A to Z, digits and `_`. Capitals count.',
          'Password: at most 72 bytes. immudb takes any; the console asks for a good one.',
          'immudb never deletes a user. *Deactivate* stops new logins.',
        ),
      ],
    },
    {
      id: 'users-password',
      title: 'Passwords',
      blocks: [
        'Only the system admin, and the admin who changed a user last, can change that user’s password.',
        note(
          'A new server lets `immudb` in with the password `immudb`: change it before anyone else can reach the server. `IMMUDB_ADMIN_PASSWORD` sets the first one.',
        ),
      ],
    },
    {
      id: 'users-privileges',
      title: 'SQL privileges',
      blocks: [
        'For SQL, users also have privileges on each database. Read brings `SELECT`; higher permissions bring `INSERT`, `UPDATE`, `DELETE`, `CREATE`, `ALTER` and `DROP`, too. [Users](/users) can narrow them. Keys and documents are not affected.',
        sql(
          'SHOW GRANTS FOR immudb',
          rows(
            'user privilege',
            ['immudb', 'SELECT'],
            ['immudb', 'CREATE'],
            ['immudb', 'INSERT'],
            ['immudb', 'UPDATE'],
            ['immudb', 'DELETE'],
            ['immudb', 'DROP'],
            ['immudb', 'ALTER'],
          ),
        ),
        note(
          'When a permission changes, immudb resets the privileges of that user on all other databases. The console gives them back and reports it. Where you are not the admin, an admin of that database must.',
        ),
      ],
    },
    {
      id: 'users-cut-off',
      title: 'Shutting a user out',
      blocks: [
        'Deactivating a user or taking a permission away may leave sessions open. A new password ends all at once; the console offers it.',
      ],
    },
    {
      id: 'users-systemdb',
      title: 'systemdb',
      blocks: [
        'It holds the hashes of all passwords: give nobody a permission on it. The console never offers one, and [Overview](/) warns of users who have it.',
      ],
    },
  ],
}
