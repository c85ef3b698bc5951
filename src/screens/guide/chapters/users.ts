import { type Chapter, list, note, rows, sql, table } from '../guide'

export const users: Chapter = {
  id: 'users',
  title: 'Users and permissions',
  intro: 'Who may log in, what each may do on which database, and what a change does not do.',
  sections: [
    {
      id: 'users-levels',
      title: 'Permissions',
      blocks: [
        'A user has at most one permission on each database. The user `immudb` is the only system admin and may do everything on every database.',
        table(
          ['May', 'Read', 'Read & write', 'Admin', 'System admin'],
          ['Read tables, keys, transactions and proofs', 'yes', 'yes', 'yes', 'yes'],
          ['Write rows and keys, change tables', '–', 'yes', 'yes', 'yes'],
          ['Flush and compact the index', '–', '–', 'yes', 'yes'],
          ['Load, unload, set up, truncate and delete the database', '–', '–', 'yes', 'yes'],
          ['Add users and change their permissions on the database', '–', '–', 'yes', 'yes'],
          ['Create databases', '–', '–', '–', 'yes'],
        ),
        'Everyone sees at least themselves on the page [Users](/users). An admin sees the users of the open database; the system admin sees all.',
      ],
    },
    {
      id: 'users-add',
      title: 'Adding a user',
      blocks: [
        '*Add user* on the page [Users](/users) asks for a name, a password and a first permission on one database. More permissions can be added later.',
        list(
          'A name has 1 to 63 characters: letters A to Z, digits and `_`. Capitals count.',
          'A password has at most 72 bytes. immudb itself takes any that is not empty; the console asks for a better one.',
          'immudb never deletes a user, because the history has to stay provable. *Deactivate* stops new logins.',
        ),
      ],
    },
    {
      id: 'users-password',
      title: 'Passwords',
      blocks: [
        'Only the system admin, and the admin who changed a user last, can change that user’s password. Ordinary users cannot change their own.',
        'A new password ends all sessions of the user at once, your own included when it is yours.',
        note(
          'A new server lets the user `immudb` in with the password `immudb`. Change it before anyone else can reach the server. A new server takes its first password from the environment variable `IMMUDB_ADMIN_PASSWORD`.',
        ),
      ],
    },
    {
      id: 'users-privileges',
      title: 'SQL privileges',
      blocks: [
        'For SQL there is a second check. Besides the permission, each user has SQL privileges on each database: `SELECT`, `INSERT`, `UPDATE`, `DELETE`, `CREATE`, `ALTER` and `DROP`. Keys are not affected by them.',
        'The permission Read brings `SELECT`; any higher one brings all seven. On the page [Users](/users) you can narrow them for each database.',
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
          'When a permission changes, immudb resets the SQL privileges of that user on all other databases as well. The console gives them back right after and reports it. Where you are not the admin, an admin of that database must do it.',
        ),
      ],
    },
    {
      id: 'users-cut-off',
      title: 'Shutting a user out',
      blocks: [
        'Deactivating a user stops new logins, and taking a permission away keeps the user from opening the database. Neither is sure to end every session of a user who logged in more than once. A session may continue until its token expires.',
        'To cut a user off at once, change the password: that ends every session. The console offers it after each change that takes something away.',
      ],
    },
    {
      id: 'users-systemdb',
      title: 'The database systemdb',
      blocks: [
        'The server keeps its users in a database called `systemdb`. Anyone who may read it can read the hashes of all passwords, so give nobody a permission on it. The console never offers it, and the [Overview](/) warns of users who have one.',
      ],
    },
  ],
}
