import { type Chapter, list, note, rows, sql, table } from '../guide'

export const users: Chapter = {
  id: 'users',
  title: 'Users and permissions',
  intro: 'Who may log in, and what each may do on which database.',
  sections: [
    {
      id: 'users-levels',
      title: 'Permissions',
      blocks: [
        'A user has at most one permission on each database. Only the user `immudb` is system admin.',
        table(
          ['May', 'Read', 'Read & write', 'Admin', 'System admin'],
          ['Read tables, keys, transactions and proofs', 'yes', 'yes', 'yes', 'yes'],
          ['Write rows and keys, change tables', '–', 'yes', 'yes', 'yes'],
          ['Flush and compact the index', '–', '–', 'yes', 'yes'],
          ['Load, unload, set up, truncate and delete the database', '–', '–', 'yes', 'yes'],
          ['Add users and change their permissions on the database', '–', '–', 'yes', 'yes'],
          ['Create databases', '–', '–', '–', 'yes'],
        ),
        'On [Users](/users) an admin sees the users of the open database, the system admin all, and everyone themselves.',
      ],
    },
    {
      id: 'users-add',
      title: 'Adding a user',
      blocks: [
        list(
          'A name has 1 to 63 characters: letters A to Z, digits and `_`. Capitals count.',
          'A password has at most 72 bytes. immudb takes any; the console asks for a good one.',
          'immudb never deletes a user. *Deactivate* stops new logins.',
        ),
      ],
    },
    {
      id: 'users-password',
      title: 'Passwords',
      blocks: [
        'Only the system admin, and the admin who changed a user last, can change that user’s password. Users cannot change their own.',
        'A new password ends all sessions of the user at once.',
        note(
          'A new server lets `immudb` in with the password `immudb`: change it before anyone else can reach the server. `IMMUDB_ADMIN_PASSWORD` sets the first one.',
        ),
      ],
    },
    {
      id: 'users-privileges',
      title: 'SQL privileges',
      blocks: [
        'For SQL, each user also has privileges on each database: `SELECT`, `INSERT`, `UPDATE`, `DELETE`, `CREATE`, `ALTER` and `DROP`. Keys are not affected.',
        'Read brings `SELECT`; any higher permission brings all seven. [Users](/users) can narrow them.',
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
          'When a permission changes, immudb resets the privileges of that user on all other databases, too. The console gives them back and reports it. Where you are not the admin, an admin of that database must do it.',
        ),
      ],
    },
    {
      id: 'users-cut-off',
      title: 'Shutting a user out',
      blocks: [
        'Deactivating a user or taking a permission away may leave sessions open. A new password ends every one at once; the console offers it.',
      ],
    },
    {
      id: 'users-systemdb',
      title: 'The database systemdb',
      blocks: [
        'It holds the hashes of all passwords, so give nobody a permission on it. The console never offers it, and the [Overview](/) warns of users who have one.',
      ],
    },
  ],
}
