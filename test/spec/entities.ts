import type { Requirement } from './requirement'

/** Section 3: entities and their fields. */
export const entities: readonly Requirement[] = [
  {
    id: 'S3.01',
    says: 'It is known whether the splash is shown.',
    where: ['src/atoms/session/start.ts#phaseAtom', 'src/app/App.tsx#App'],
    shown: [
      'test/app/identity.test.tsx: from the form to the shell and back, without anything of the user left',
    ],
  },
  {
    id: 'S3.02',
    says: 'The theme is dark or light, dark at first.',
    where: ['src/atoms/settings/view.ts#themeChoiceAtom', 'src/atoms/storage/stored.ts#stored'],
    shown: [
      'test/atoms/storage.test.ts: the defaults are those of the specification',
      'test/atoms/storage.test.ts: a theme that is none is ignored',
    ],
  },
  {
    id: 'S3.03',
    says: 'Windows narrower than 600 pixels count as phones.',
    where: ['src/ui/use-narrow.ts#useNarrow'],
    shown: [
      'test/ui/use-narrow.test.tsx: a window of %i px is %s',
      'test/e2e/spec.e2e.ts: becomes the phone’s layout below 600 px and the wide one again above',
    ],
  },
  {
    id: 'S3.04',
    says: 'There is a list of labels of what is loading.',
    where: ['src/atoms/session/loading.ts#loadingAtom'],
    shown: ['test/atoms/loading.test.ts: are those of the calls under way, the oldest first'],
  },
  {
    id: 'S3.05',
    says: 'The sidebar has two flags: icons only, and put away.',
    where: ['src/atoms/settings/view.ts#sidebarAtom', 'src/atoms/settings/view.ts#setSidebarAtom'],
    shown: [
      'test/atoms/storage.test.ts: the defaults are those of the specification',
      'test/e2e/shell.e2e.ts: full, mini and collapsed, remembered over a reload',
    ],
  },
  {
    id: 'S3.06',
    says: 'The breadcrumbs follow the page.',
    where: ['src/app/frame/TopBar.tsx#Breadcrumbs'],
    shown: ['test/app/frame-parts.test.tsx: of %s lead home and end at the page'],
  },
  {
    id: 'S3.07',
    says: 'The banner is part of the view.',
    where: [
      'src/atoms/session/warning-banner.ts#bannerOf',
      'src/atoms/session/banner.ts#bannerAtom',
    ],
    shown: [
      'test/atoms/session.test.ts: the server’s warning goes to the banner; the next login without one takes it away',
    ],
  },
  {
    id: 'S3.08',
    says: 'The sizes of four panes are kept: tables 25, examples 75, query 33, output 67 at first.',
    where: ['src/lib/constants.ts#defaultPaneSizes', 'src/atoms/settings/view.ts#paneSizesAtom'],
    shown: [
      'test/atoms/storage.test.ts: the defaults are those of the specification',
      'test/atoms/storage.test.ts: a pane of %s gets its default',
      'test/e2e/query.e2e.ts: sizes are kept over a reload',
    ],
  },
  {
    id: 'S3.09',
    says: 'Inactive users can be left out of the list.',
    where: ['src/atoms/settings/view.ts#hideNotActiveAtom'],
    shown: [
      'test/atoms/users.test.ts: hiding inactive users is kept with the view',
      'test/screens/users.test.tsx: is filtered by name, whatever the case; inactive users can be hidden, which is kept',
    ],
  },
  {
    id: 'S3.10',
    says: 'Times are shown in a chosen zone, the local one at first.',
    where: ['src/atoms/settings/view.ts#timezoneAtom', 'src/lib/text.ts#zoneName'],
    shown: [
      'test/atoms/storage.test.ts: the defaults are those of the specification',
      'test/atoms/storage.test.ts: the time zone %s',
      'test/screens/settings.test.tsx: the zone: local, UTC, or any that the browser knows',
    ],
  },
  {
    id: 'S3.11',
    says: 'It is known whether an answer is still awaited.',
    where: ['src/atoms/session/loading.ts#loadingAtom', 'src/app/frame/Frame.tsx#Busy'],
    shown: [
      'test/app/frame-parts.test.tsx: is there while anything is under way',
      'test/atoms/loading.test.ts: are those of the calls under way, the oldest first',
    ],
  },
  {
    id: 'S3.12',
    says: 'It is known whether the stored state has been taken over.',
    where: ['src/atoms/session/start.ts#phaseAtom', 'src/atoms/session/start.ts#restoreAtom'],
    shown: [
      'test/atoms/session.test.ts: with nothing stored: the form, and not a single call',
      'test/app/login.test.tsx: is a dialog over everything with a spinner while storage is read',
    ],
  },
  {
    id: 'S3.13',
    says: 'The session has a token.',
    where: ['src/atoms/session/session.ts#Session'],
    shown: [
      'test/atoms/session.test.ts: takes four calls to a usable console, the list of databases among them',
    ],
  },
  {
    id: 'S3.14',
    says: 'It is known whether somebody is signed in.',
    where: ['src/atoms/session/session.ts#sessionAtom', 'src/atoms/session/start.ts#phaseAtom'],
    shown: [
      'test/atoms/session.test.ts: takes four calls to a usable console, the list of databases among them',
      'test/atoms/session.test.ts: %s changes nothing and is said',
    ],
  },
  {
    id: 'S3.15',
    says: 'The session has a user.',
    where: ['src/atoms/session/session.ts#Session'],
    shown: [
      'test/atoms/session.test.ts: takes four calls to a usable console, the list of databases among them',
      'test/app/login.test.tsx: a notice says why the form is there, and the last user is filled in',
    ],
  },
  {
    id: 'S3.16',
    says: 'The session has the user’s own permissions.',
    where: [
      'src/atoms/session/session.ts#permissionsAtom',
      'src/atoms/users/list.ts#keepPermissionsAtom',
    ],
    shown: [
      'test/atoms/queries.test.ts: of others is that of the open database',
      'test/atoms/queries.test.ts: of immudb comes from the wildcard',
    ],
  },
  {
    id: 'S3.17',
    says: 'A listed user has a name, which comes as base64 and is shown as text.',
    where: ['src/api/users.ts#users'],
    shown: [
      'test/api/calls.test.ts: users: names decoded, missing flags and lists filled in',
      'test/api/calls.test.ts: a user name that is %s is a bad answer',
    ],
  },
  {
    id: 'S3.18',
    says: 'A listed user has permissions, each a database and a number.',
    where: ['src/api/users.ts#users', 'src/immudb/permission.ts#Permission'],
    shown: [
      'test/api/calls.test.ts: users: names decoded, missing flags and lists filled in',
      'test/screens/users.test.tsx: shows everybody with status, permissions and last change',
    ],
  },
  {
    id: 'S3.19',
    says: 'There is a list of databases.',
    where: ['src/atoms/databases/list.ts#databasesAtom'],
    shown: [
      'test/screens/databases.test.tsx: tells state, transactions, size and own permission',
      'test/api/databases.test.ts: tells state, size, creation, role and retention',
    ],
  },
  {
    id: 'S3.20',
    says: 'One database is active, which is remembered; “defaultdb” at first.',
    where: ['src/atoms/session/session.ts#databaseAtom', 'src/lib/constants.ts#defaultDatabase'],
    shown: [
      'test/atoms/session.test.ts: with a token: health, the stored database, ready',
      'test/atoms/storage.test.ts: the defaults are those of the specification',
    ],
    decided: ['D9'],
  },
  {
    id: 'S3.21',
    says: 'There is a list of the tables of the database.',
    where: ['src/atoms/query/tables.ts#tablesAtom'],
    shown: ['test/api/calls.test.ts: tables: names, and none when there are no rows'],
  },
  {
    id: 'S3.22',
    says: 'A table has a label and a value, which is its name.',
    where: ['src/screens/query/TableTree.tsx#tableNode'],
    shown: [
      'test/screens/table-node.test.ts: is a “tab” with its name, and its columns are “col” in the order of the server',
    ],
  },
  {
    id: 'S3.23',
    says: 'A table is of the type “tab”.',
    where: ['src/screens/query/TableTree.tsx#tableNode'],
    shown: [
      'test/screens/table-node.test.ts: is a “tab” with its name, and its columns are “col” in the order of the server',
    ],
  },
  {
    id: 'S3.24',
    says: 'The children of a table are its columns, each of the type “col” with a label and a value.',
    where: ['src/screens/query/TableTree.tsx#columnNode'],
    shown: [
      'test/screens/table-node.test.ts: is a “tab” with its name, and its columns are “col” in the order of the server',
      'test/e2e/query.e2e.ts: the tree shows columns, types, keys and indexes',
    ],
  },
  {
    id: 'S3.25',
    says: 'A column has tags, among them whether it may be null.',
    where: ['src/screens/query/TableTree.tsx#badgesOf'],
    shown: ['test/screens/table-node.test.ts: a column that %s has the tag %s'],
  },
  {
    id: 'S3.26',
    says: 'A column says whether it is part of the primary key.',
    where: ['src/api/tables.ts#readColumn', 'src/screens/query/TableTree.tsx#badgesOf'],
    shown: [
      'test/api/columns.test.ts: the fourth cell “%s” marks keys and indexes',
      'test/screens/table-node.test.ts: a column that %s has the tag %s',
    ],
  },
  {
    id: 'S3.27',
    says: 'A column is indexed when the server’s mark says YES.',
    where: ['src/api/tables.ts#readColumn'],
    shown: ['test/api/columns.test.ts: the fourth cell “%s” marks keys and indexes'],
  },
  {
    id: 'S3.28',
    says: 'A column says whether it is a foreign key.',
    where: ['src/api/tables.ts#readColumn'],
    shown: [
      'test/api/columns.test.ts: the fourth cell “%s” marks keys and indexes',
      'test/screens/table-node.test.ts: a column that %s has the tag %s',
    ],
    decided: ['D34'],
  },
  {
    id: 'S3.29',
    says: 'A line of the tree knows whether it is the active one.',
    where: ['src/ui/tree/TreeLine.tsx#TreeLine'],
    shown: [
      'test/ui/lists.test.tsx: the active item names itself, and its buttons are the next tab stops',
    ],
  },
  {
    id: 'S3.30',
    says: 'A line of the tree knows the text it brings into the editor.',
    where: ['src/screens/query/TableTree.tsx#insertAction'],
    shown: [
      'test/screens/table-node.test.ts: brings its name into the editor',
      'test/e2e/query-more.e2e.ts: inserts a name at the caret, in quotes where it needs them',
    ],
  },
  {
    id: 'S3.31',
    says: 'A line of the tree knows whether it holds others.',
    where: ['src/ui/tree/rows.ts#visibleRows'],
    shown: ['test/ui/tree.test.ts: a node that is listed as open but is a leaf stays a leaf'],
  },
  {
    id: 'S3.32',
    says: 'A line of the tree leads to its node.',
    where: ['src/ui/tree/rows.ts#TreeRow'],
    shown: ['test/ui/tree.test.ts: open, with places for what is on its way or failed'],
  },
  {
    id: 'S3.33',
    says: 'A line of the tree knows whether what is below it is there, on its way, or failed.',
    where: ['src/ui/tree/rows.ts#TreeChildren', 'src/screens/query/TableTree.tsx#childrenOf'],
    shown: [
      'test/screens/table-node.test.ts: is there before its columns are, and says why when they cannot be had',
      'test/ui/tree.test.ts: open, with places for what is on its way or failed',
    ],
  },
  {
    id: 'S3.34',
    says: 'A line of the tree has a path and a short name of its own, unique in the tree.',
    where: ['src/screens/query/TableTree.tsx#columnNode', 'src/ui/tree/rows.ts#TreeNode'],
    shown: [
      'test/screens/table-node.test.ts: is a “tab” with its name, and its columns are “col” in the order of the server',
      'test/screens/query.test.tsx: shows the name %j without taking it for anything else (A02)',
    ],
  },
  {
    id: 'S3.35',
    says: 'Lines of the tree are in order, and each knows its place.',
    where: ['src/ui/tree/rows.ts#visibleRows'],
    shown: ['test/ui/lists.test.tsx: has a name, levels and places, and holds only what is seen'],
  },
  {
    id: 'S3.36',
    says: 'A line of the tree has a title.',
    where: ['src/ui/tree/rows.ts#rowName'],
    shown: ['test/ui/tree.test.ts: says what is shown, then what the marks mean'],
  },
  {
    id: 'S3.37',
    says: 'The health of the server is known.',
    where: ['src/atoms/session/start.ts#healthAtom', 'src/api/server.ts#readHealth'],
    shown: [
      'test/atoms/session.test.ts: with a token: health, the stored database, ready',
      'test/screens/settings.test.tsx: versions, the files with their hashes, the licences',
    ],
  },
  {
    id: 'S3.38',
    says: 'The state names its database and its newest transaction.',
    where: ['src/api/server.ts#readState', 'src/atoms/history/state.ts#stateAtom'],
    shown: [
      'test/api/calls.test.ts: state: an empty database has transaction 0, ids stay exact text',
      'test/screens/overview.test.tsx: shows the state as reported by the server, and nothing as verified',
    ],
  },
  {
    id: 'S3.39',
    says: 'The present transaction is known beside the chosen one.',
    where: ['src/atoms/history/state.ts#presentTxAtom', 'src/atoms/history/state.ts#chosenTxAtom'],
    shown: [
      'test/atoms/time-travel.test.ts: is the present one until another is chosen, and each database has its own',
    ],
  },
  {
    id: 'S3.40',
    says: 'The state has the hash of its transaction.',
    where: ['src/api/server.ts#readState', 'src/screens/overview/StateCard.tsx#Facts'],
    shown: [
      'test/screens/overview.test.tsx: shows the state as reported by the server, and nothing as verified',
    ],
  },
  {
    id: 'S3.41',
    says: 'It is known whether a database holds any transaction.',
    where: ['src/atoms/history/state.ts#hasTransactionsAtom'],
    shown: [
      'test/atoms/queries.test.ts: an empty database is asked for no tables until it has a transaction',
    ],
  },
  {
    id: 'S3.42',
    says: 'The output is a list of results with a divider behind each.',
    where: ['src/atoms/query/output.ts#appendOutputAtom', 'src/atoms/query/output.ts#Divider'],
    shown: [
      'test/atoms/run.test.ts: has a divider behind each result, and the filter shows no divider alone',
    ],
  },
  {
    id: 'S3.43',
    says: 'The output has a filter that lets everything through at first.',
    where: [
      'src/atoms/query/output.ts#severityAtom',
      'src/atoms/query/output.ts#visibleOutputAtom',
    ],
    shown: [
      'test/atoms/output.test.ts: lets everything through until a kind is chosen',
      'test/e2e/query.e2e.ts: the output can be filtered by severity',
    ],
  },
  {
    id: 'S3.44',
    says: 'A result is of rows or of an error.',
    where: ['src/atoms/query/output.ts#OutputEntry'],
    shown: [
      'test/atoms/error-catalogue.test.ts: of a query is an entry among the errors, with its message and time',
      'test/atoms/run.test.ts: stops at the first failure and says what was not run',
    ],
  },
  {
    id: 'S3.45',
    says: 'A result has its transaction.',
    where: ['src/atoms/query/output.ts#OutputEntry'],
    shown: [
      'test/atoms/run.test.ts: sends each statement by itself, in order, queries and commands to their own calls',
      'test/e2e/query.e2e.ts: a write says its transaction and how many rows',
    ],
  },
  {
    id: 'S3.46',
    says: 'A result says whether the past was looked at.',
    where: ['src/atoms/query/output.ts#OutputEntry'],
    shown: [
      'test/atoms/time-travel.test.ts: flags an entry when it differs from the present one, and the sent text is shown',
    ],
  },
  {
    id: 'S3.47',
    says: 'A result has the time at which it was begun.',
    where: ['src/atoms/query/send-statement.ts#entryOf'],
    shown: [
      'test/atoms/error-catalogue.test.ts: of a query is an entry among the errors, with its message and time',
    ],
  },
  {
    id: 'S3.48',
    says: 'A result has the line its statement stands in.',
    where: ['src/atoms/query/send-statement.ts#entryOf'],
    shown: [
      'test/atoms/error-catalogue.test.ts: each entry names the line its statement begins in',
    ],
  },
  {
    id: 'S3.49',
    says: 'A result has the columns and rows that came back.',
    where: ['src/sql/result.ts#readResult'],
    shown: [
      'test/sql/result.test.ts: keeps every kind of value exact',
      'test/e2e/query.e2e.ts: int64 is exact; NULL, empty text and 0 look different',
    ],
  },
  {
    id: 'S3.50',
    says: 'What was run is remembered.',
    where: ['src/atoms/query/statement-history.ts#historyAtom'],
    shown: [
      'test/atoms/history.test.ts: holds what was run, newest first, with its database and how it went',
      'test/e2e/query-more.e2e.ts: is searched, inserted, switched off and wiped at the log-out',
    ],
  },
  {
    id: 'S3.51',
    says: 'Metrics have a period, a minute.',
    where: ['src/lib/constants.ts#metricsPeriod', 'src/atoms/overview/metrics.ts#metricsAtom'],
    shown: [
      'test/atoms/metrics.test.ts: three seconds after the screen was opened, once more for a rate, then every minute',
    ],
    decided: ['D25'],
  },
  {
    id: 'S3.52',
    says: 'Metrics hold how much each database has stored.',
    where: ['src/immudb/metrics.ts#DatabaseMetrics'],
    shown: ['test/lib/metrics.test.ts: as recorded from 1.11.1'],
    decided: ['D26'],
  },
  {
    id: 'S3.53',
    says: 'Metrics hold the hours the server has been up.',
    where: ['src/immudb/metrics.ts#Metrics', 'src/atoms/overview/figures.ts#startedAtAtom'],
    shown: ['test/lib/metrics.test.ts: as recorded from 1.11.1'],
  },
  {
    id: 'S3.54',
    says: 'Metrics hold a row of sizes with their times for each database.',
    where: ['src/atoms/overview/time-series.ts#sizeLinesAtom', 'src/lib/series.ts#Line'],
    shown: [
      'test/atoms/metrics.test.ts: of a thousand databases only the largest are kept, and the open one',
      'test/screens/overview.test.tsx: show sizes at once from the list, memory three seconds later from the metrics',
    ],
  },
  {
    id: 'S3.55',
    says: 'Metrics hold two rows about memory: reserved, and in use.',
    where: ['src/atoms/overview/time-series.ts#memoryLinesAtom'],
    shown: [
      'test/lib/metrics.test.ts: as recorded from 1.11.1',
      'test/atoms/metrics.test.ts: survives leaving the screen, with a gap where nobody measured',
    ],
  },
  {
    id: 'S3.56',
    says: 'Metrics hold how much is read and written.',
    where: ['src/atoms/overview/time-series.ts#callRateLinesAtom'],
    shown: [
      'test/atoms/metrics.test.ts: becomes rates from the second measurement on, and breaks at a restart',
      'test/lib/metrics.test.ts: sum up the methods of a kind; logins and states are neither reads nor writes',
    ],
  },
  {
    id: 'S3.57',
    says: 'There is a docker token, or none.',
    where: ['src/atoms/settings/page-files.ts#dockerTokenAtom'],
    shown: [
      'test/atoms/session-life.test.ts: is fetched without the token of the database, and stored',
    ],
    decided: ['D6'],
  },
  {
    id: 'S3.58',
    says: 'The login form has a user and a password.',
    where: ['src/app/splash/LoginCard.tsx#LoginFields'],
    shown: [
      'test/app/login.test.tsx: has the fields a password manager knows, and the focus in the first empty one',
    ],
  },
  {
    id: 'S3.59',
    says: 'Both themes have colours for first, second and accent, for four kinds of news, and grounds.',
    where: ['src/styles/app.css', 'tailwind.config.ts#colors'],
    shown: [
      'test/ui/tokens.test.ts: both themes have colours of their own for %s',
      'test/ui/tokens.test.ts: both themes set the same names',
    ],
  },
  {
    id: 'S3.60',
    says: 'The first colour of the light theme is #1976D2.',
    where: ['src/styles/app.css#--primary: #1976d2'],
    shown: ['test/ui/tokens.test.ts: the primary colour of the light theme is #1976D2'],
  },
  {
    id: 'S3.61',
    says: 'State is written to the browser’s storage without anything waiting for it.',
    where: [
      'src/atoms/storage/storage.ts#openStorage',
      'src/atoms/storage/stored.ts#changeStoredAtom',
    ],
    shown: [
      'test/atoms/storage.test.ts: writes happen as they were asked for, with no other in the middle of a change',
      'test/atoms/storage.test.ts: without room the tab goes on with what it has in memory',
    ],
    decided: ['D30'],
  },
  {
    id: 'S3.62',
    says: 'It is stored under one key, the name of the product.',
    where: ['src/lib/constants.ts#storageKey'],
    shown: [
      'test/lib/constants.test.ts: the constants of the specification › %s',
      'test/app/login.test.tsx: a good login leads to a ready console and stores the token',
    ],
  },
  {
    id: 'S3.63',
    says: 'It is taken over again at the start.',
    where: ['src/atoms/session/start.ts#restoreAtom', 'src/atoms/storage/stored.ts#readStored'],
    shown: [
      'test/atoms/session.test.ts: with a token: health, the stored database, ready',
      'test/e2e/login.e2e.ts: a reload keeps the session and the page',
    ],
  },
  {
    id: 'S3.64',
    says: 'Stored: the docker token.',
    where: ['src/atoms/storage/stored.ts#stored'],
    shown: [
      'test/atoms/storage.test.ts: the defaults are those of the specification',
      'test/atoms/session-life.test.ts: is fetched without the token of the database, and stored',
    ],
    decided: ['D6'],
  },
  {
    id: 'S3.65',
    says: 'Stored: the theme.',
    where: ['src/atoms/settings/view.ts#setThemeAtom'],
    shown: [
      'test/atoms/storage.test.ts: the defaults are those of the specification',
      'test/atoms/settings.test.ts: F41 two tabs that change theme and panes: both stay, the token too',
    ],
  },
  {
    id: 'S3.66',
    says: 'Stored: the banner.',
    where: ['src/atoms/storage/stored.ts#StoredBanner'],
    shown: [
      'test/app/banner.test.tsx: closing sets a cookie of one hour',
      'test/e2e/login.e2e.ts: the default password brings a banner that outlives a reload until it is closed',
    ],
  },
  {
    id: 'S3.67',
    says: 'Stored: the sidebar.',
    where: ['src/atoms/settings/view.ts#setSidebarAtom'],
    shown: [
      'test/e2e/shell.e2e.ts: full, mini and collapsed, remembered over a reload',
      'test/atoms/storage.test.ts: good parts beside bad ones are kept',
    ],
  },
  {
    id: 'S3.68',
    says: 'Stored: the sizes of panes.',
    where: ['src/atoms/settings/view.ts#setPaneSizesAtom'],
    shown: [
      'test/e2e/query.e2e.ts: sizes are kept over a reload',
      'test/atoms/storage.test.ts: that change different fields do not undo each other',
    ],
  },
  {
    id: 'S3.69',
    says: 'Stored: whether inactive users are hidden.',
    where: ['src/atoms/settings/view.ts#setHideNotActiveAtom'],
    shown: ['test/atoms/users.test.ts: hiding inactive users is kept with the view'],
  },
  {
    id: 'S3.70',
    says: 'Stored: the time zone.',
    where: ['src/atoms/settings/view.ts#setTimezoneAtom'],
    shown: [
      'test/atoms/leave.test.ts: tells the server with the token and wipes what belongs to the user',
      'test/e2e/settings.e2e.ts: are kept over a reload and apply at once',
    ],
  },
  {
    id: 'S3.71',
    says: 'Stored: the token, unless it is for this tab only.',
    where: ['src/atoms/session/start.ts#storedAuth'],
    shown: [
      'test/atoms/session.test.ts: takes four calls to a usable console, the list of databases among them',
      'test/atoms/session.test.ts: “this tab only” leaves nothing in storage but which server it was',
    ],
    decided: ['D10'],
  },
  {
    id: 'S3.72',
    says: 'Stored: the user.',
    where: ['src/atoms/session/start.ts#storedAuth'],
    shown: [
      'test/atoms/session.test.ts: takes four calls to a usable console, the list of databases among them',
    ],
  },
  {
    id: 'S3.73',
    says: 'Stored: the user’s permissions.',
    where: ['src/atoms/users/list.ts#keepPermissionsAtom', 'src/atoms/session/start.ts#storedAuth'],
    shown: [
      'test/atoms/kept-permissions.test.ts: the own permissions, once listed, are stored with the session and found again',
    ],
  },
  {
    id: 'S3.74',
    says: 'Stored: the active database.',
    where: ['src/atoms/session/start.ts#keepSessionAtom'],
    shown: [
      'test/atoms/session.test.ts: with a token: health, the stored database, ready',
      'test/atoms/session.test.ts: a refused database leaves the old one, its token and the session',
    ],
  },
]
