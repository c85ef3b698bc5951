import type { Requirement } from './requirement'

/** Section 6: roles and permissions. */
export const roles: readonly Requirement[] = [
  {
    id: 'S6.01',
    says: 'Nobody gets past the splash without a token.',
    where: ['src/app/App.tsx#App', 'src/atoms/session/start.ts#phaseAtom'],
    shown: [
      'test/atoms/session.test.ts: with nothing stored: the form, and not a single call',
      'test/e2e/spec.e2e.ts: the splash has mascot, mark and provider’s mark in their sizes, and covers all',
    ],
  },
  {
    id: 'S6.02',
    says: 'A permission is a database, or all of them, and a level.',
    where: ['src/immudb/permission.ts#Permission'],
    shown: [
      'test/lib/permission.test.ts: is that of its own entry or of the wildcard, whichever comes first',
      'test/lib/permission.test.ts: has a name for each level of the server, and says who may write',
    ],
    decided: ['D21'],
  },
  {
    id: 'S6.03',
    says: 'A user can be added.',
    where: ['src/atoms/users/writes.ts#createUserAtom', 'src/screens/users/AddUserDialog.tsx'],
    shown: [
      'test/atoms/users.test.ts: sends name and password as they are and asks for the list anew',
      'test/screens/users.test.tsx: checks while typing, sends once and shows the new user',
    ],
  },
  {
    id: 'S6.04',
    says: 'A user can be made active or inactive.',
    where: ['src/atoms/users/writes.ts#setActiveAtom', 'src/screens/users/UserDialog.tsx'],
    shown: [
      'test/atoms/users.test.ts: D23: deactivating is reported with the way to end sessions; the password settles it',
      'test/atoms/users.test.ts: activating says so and leaves no report',
    ],
    decided: ['D23'],
  },
  {
    id: 'S6.05',
    says: 'A password can be changed.',
    where: ['src/atoms/users/writes.ts#changePasswordAtom', 'src/screens/users/PasswordDialog.tsx'],
    shown: [
      'test/atoms/users.test.ts: ends the session with a clear sentence; the new one opens it again',
      'test/screens/users.test.tsx: the own password asks for the old one, says when it is wrong, and is linked to',
    ],
  },
  {
    id: 'S6.06',
    says: 'A permission can be added.',
    where: [
      'src/atoms/users/permissions.ts#changePermissionAtom',
      'src/screens/users/UserDialog.tsx',
    ],
    shown: [
      'test/atoms/users.test.ts: a first permission needs no repair and no report',
      'test/screens/users.test.tsx: D22: a permission is added after telling what it takes and gives back',
    ],
    decided: ['D22'],
  },
  {
    id: 'S6.07',
    says: 'A permission can be changed.',
    where: [
      'src/screens/users/UserDialog.tsx',
      'src/atoms/users/permissions.ts#changePermissionAtom',
    ],
    shown: [
      'test/e2e/users.e2e.ts: changes and removes a permission after asking, D21: only three levels are offered',
      'test/atoms/users.test.ts: privileges elsewhere are read, given back and reported',
    ],
    decided: ['D21', 'D22'],
  },
  {
    id: 'S6.08',
    says: 'The list of users has a column for permissions.',
    where: ['src/screens/users/UserList.tsx#UserList'],
    shown: [
      'test/screens/users.test.tsx: shows everybody with status, permissions and last change',
    ],
  },
  {
    id: 'S6.09',
    says: 'For each database of a user the permission can be picked.',
    where: [
      'src/screens/users/UserPanel.tsx#PermissionRow',
      'src/screens/users/PermissionSelect.tsx#PermissionSelect',
    ],
    shown: [
      'test/e2e/users.e2e.ts: changes and removes a permission after asking, D21: only three levels are offered',
    ],
    decided: ['D21'],
  },
  {
    id: 'S6.10',
    says: 'What a level does not allow is out of use, with the reason.',
    where: ['src/immudb/permission.ts#refusalFor', 'src/immudb/user-rules.ts'],
    shown: [
      'test/lib/user-rules.test.ts: add users: admins of any database, in theirs',
      'test/screens/users.test.tsx: for an ordinary user: everything',
    ],
    decided: ['D24'],
  },
]
