/** Who does something; their passwords are all {@link password}, except that of `immudb`. */
export const roles = [
  { role: 'system admin', short: 'sys', user: 'immudb', level: 255 },
  { role: 'database admin', short: 'adm', user: 'role_adm', level: 254 },
  { role: 'read-write', short: 'rw', user: 'role_rw', level: 2 },
  { role: 'read-only', short: 'ro', user: 'role_ro', level: 1 },
] as const

export type Role = (typeof roles)[number]
export const password = 'C0rrect-horse'

export function passwordOf({ user }: Role): string {
  return user === 'immudb' ? 'immudb' : password
}

/** A test that shows a cell already, as the start of its file's name and its own name. */
type Shown = `${string}: ${string}`

export type Cell =
  | { readonly outcome: 'works'; readonly shownBy?: Shown }
  /** The control says why; the server also refuses the call in its own words. */
  | {
      readonly outcome: 'disabled'
      readonly reason: string
      readonly says: RegExp
      readonly shownBy?: Shown
    }
  /** The console cannot know beforehand; it shows the server's words. */
  | { readonly outcome: 'refused'; readonly says: RegExp; readonly shownBy?: Shown }

const yes: Cell = { outcome: 'works' }
const by = (shownBy: Shown): Cell => ({ outcome: 'works', shownBy })
const not = (reason: string, says: RegExp, shownBy: Shown | null = null): Cell => ({
  outcome: 'disabled',
  reason,
  says,
  ...(shownBy && { shownBy }),
})
const refused: Cell = { outcome: 'refused', says: /^permission denied$/ }

const overview = 'overview: shows state, counters, recent transactions and the check-up'
const overviewReader = 'overview: is there for a user who may only read'
const dbLife = 'databases: creates, uses, unloads, loads and deletes a database'
const dbUpkeep = 'databases: flushes, compacts and truncates; what has nothing to do'
const dbAdmin = 'databases: the admin of a database manages it and nothing else'
const dbOthers = 'databases: a %s looks and uses, the rest is disabled with the reason'
const userAdmin = 'users: a database admin adds users there, and is told why not elsewhere'
const userOthers = 'users: user sees only himself, and every action says what it needs'
const userLeaver = 'users: D23: deactivating says that sessions may live on'
const userMover = 'users: changes and removes a permission after asking'
const keyAdmin = 'keys: a system admin sets, finds, changes, looks back at, proves and deletes'
const keyWriters = 'keys: a user of level $level may write'
const keyReader = 'keys: a reader reads and proves; writing is disabled with the reason'

const admin = 'This needs the permission “Admin” on the database.'
const anyAdmin = 'This needs the permission “Admin” on a database.'
const write = 'This needs the permission “Read & write” on the database.'
const noAdmin = /do not have admin permission on this database$/
const noRight = /^you do not have permission on this database$/
const noManager = /^user is not system admin nor admin in any of the databases$/
const ownPassword = 'Only the system admin and the admin who manages you can change'
const ownRights = 'You cannot change your own permissions.'
const denied = /^permission denied$/
const ownRefused = /^changing your own permissions is not allowed$/

const database = (system: Cell, ofAdmin: Cell, shown: Shown | null = dbOthers, says = noAdmin) =>
  [system, ofAdmin, not(admin, says, shown), not(admin, says, shown)] as const
const user = (system: Cell, ofAdmin: Cell, says: RegExp) =>
  [system, ofAdmin, not(anyAdmin, says, userOthers), not(anyAdmin, says, userOthers)] as const
const all = [yes, yes, yes, yes] as const

/** Every action with its outcome for each of the {@link roles}, in their order. */
export const matrix = {
  'see health, state and figures': [by(overview), yes, yes, by(overviewReader)],
  'see the metrics': [
    by('overview: reads the metrics of its own server in a worker'),
    yes,
    yes,
    by(overviewReader),
  ],
  'see the security check-up': [by(overview), yes, yes, by(overviewReader)],

  'list the databases': all,
  'use a database': [by(dbLife), yes, yes, yes],
  'create a database': [
    by(dbLife),
    ...[1, 2, 3].map(() =>
      not(
        'Only the system admin can create databases.',
        /^loggedin user does not have permissions for this operation$/,
      ),
    ),
  ],
  'unload a database': database(by(dbLife), by(dbAdmin)),
  'load a database': database(by(dbLife), by(dbAdmin), null),
  'flush an index': database(by(dbUpkeep), yes, dbOthers, denied),
  'compact an index': database(by(dbUpkeep), yes, dbOthers, denied),
  'truncate a database': database(by(dbUpkeep), yes),
  'change the settings of a database': database(
    by('databases: changes settings by their difference'),
    by(dbAdmin),
  ),
  'delete a database': database(by(dbLife), yes),

  'list the users': all,
  'add a user': user(
    by('users: adds a user with the chosen database and level'),
    by(userAdmin),
    noRight,
  ),
  'deactivate a user': user(by(userLeaver), yes, noManager),
  'activate a user': user(by(userLeaver), yes, noManager),
  'change the password of a user': user(by(userLeaver), yes, noManager),
  'give a permission': [
    by('users: D22: a permission elsewhere keeps the SQL privileges'),
    by(userAdmin),
    not(ownRights, noRight),
    not(ownRights, noRight),
  ],
  'take a permission away': [
    by(userMover),
    yes,
    not(ownRights, noRight, userOthers),
    not(ownRights, noRight, userOthers),
  ],
  'change SQL privileges': [
    by('users: edits SQL privileges on a database'),
    yes,
    not(ownRights, noRight),
    not(ownRights, noRight),
  ],
  'change one’s own permissions': [
    not(ownRights, ownRefused),
    not(ownRights, ownRefused, userAdmin),
    not(ownRights, ownRefused, userOthers),
    not(ownRights, ownRefused, userOthers),
  ],
  'change one’s own password': [
    by('users: the warning about the default password leads to the dialog'),
    not(ownPassword, /was not found or it was not created by you$/, userAdmin),
    not(ownPassword, noManager, userOthers),
    not(ownPassword, noManager, userOthers),
  ],

  'run a query': all,
  'insert rows': [yes, yes, yes, refused],
  'create a table': [yes, yes, yes, refused],
  'travel in time': all,
  'export a result': all,
  'look at the code history': all,
  'add demo data': [
    by('query-more: are shown before they are stored, in one transaction'),
    yes,
    yes,
    not(write, denied, 'query-more: need a permission, and say which'),
  ],

  'list the keys': [by(keyAdmin), yes, yes, by(keyReader)],
  'get a key': [by(keyAdmin), yes, yes, by(keyReader)],
  'see the revisions of a key': [by(keyAdmin), yes, yes, by(keyReader)],
  'get a key with its proof': [by(keyAdmin), yes, yes, by(keyReader)],
  'set a key': [by(keyAdmin), by(keyWriters), by(keyWriters), not(write, denied, keyReader)],
  'delete a key': [by(keyAdmin), by(keyWriters), by(keyWriters), not(write, denied, keyReader)],

  'change a setting of this browser': [
    by('settings: are kept over a reload and apply at once'),
    yes,
    yes,
    yes,
  ],
} satisfies Record<string, readonly Cell[]>

export type Doing = keyof typeof matrix

/** What is done, in the order of the table. */
export const doings = Object.keys(matrix).filter(isDoing)

export function isDoing(name: string): name is Doing {
  return Object.hasOwn(matrix, name)
}

/** The outcome of an action for a role. */
export function cellOf(doing: Doing, role: Role): Cell {
  const cell = matrix[doing][roles.indexOf(role)]
  if (!cell) throw new Error(`nothing is known of “${doing}” by the ${role.role}`)
  return cell
}
