import type { Requirement } from './requirement'

/** Section 7: calls. */
export const calls: readonly Requirement[] = [
  {
    id: 'S7.01',
    says: 'Calls go to /api below the mount point.',
    where: ['src/lib/constants.ts#apiBasePath', 'src/main.tsx'],
    shown: [
      'test/api/client.test.ts: carries the token, leaves nothing in a cache and refuses redirects',
      'test/api/call-table.test.ts: %s',
    ],
  },
  {
    id: 'S7.02',
    says: 'Bodies and answers are JSON.',
    where: ['src/api/client.ts#headersOf', 'src/api/answer.ts#readAnswer'],
    shown: [
      'test/api/client.test.ts: carries the token, leaves nothing in a cache and refuses redirects',
      'test/api/errors.test.ts: good answers that are none › %s',
    ],
  },
  {
    id: 'S7.03',
    says: 'Requests ask for no cached answer.',
    where: ['src/api/client.ts#headersOf'],
    shown: [
      'test/api/client.test.ts: carries the token, leaves nothing in a cache and refuses redirects',
      'embed/guard_test.go: TestAPIAnswersAreNotCached',
    ],
    decided: ['D32'],
  },
  {
    id: 'S7.04',
    says: 'A call is given up after 30 seconds.',
    where: ['src/lib/constants.ts#apiTimeout', 'src/api/client.ts#sendOnce'],
    shown: [
      'test/api/client.test.ts: ends %s after 30 s, and nothing is repeated',
      'test/api/client.test.ts: starts anew with each try',
    ],
    decided: ['D11'],
  },
  {
    id: 'S7.05',
    says: 'A failed call is repeated up to three times by itself.',
    where: ['src/lib/constants.ts#retryCount', 'src/lib/retry.ts#withRetries'],
    shown: [
      'test/lib/retry.test.ts: throw the last failure after three more',
      'test/api/client.test.ts: %s: three more, at 100 ms doubling plus a random share',
    ],
    decided: ['D11'],
  },
  {
    id: 'S7.06',
    says: 'It is repeated when the network failed or something in front of the database answered 5xx.',
    where: ['src/api/client.ts#withRepeats'],
    shown: [
      'test/api/client.test.ts: %s: three more, at 100 ms doubling plus a random share',
      'test/api/client.test.ts: repeats › %s: none',
    ],
    decided: ['D11'],
  },
  {
    id: 'S7.07',
    says: 'Only calls that may safely be repeated are.',
    where: ['src/api/client.ts#isSafe'],
    shown: [
      'test/api/client.test.ts: repeats › %s: none',
      'test/atoms/run.test.ts: is unknown after %s, is sent once, and what follows is not run',
    ],
    decided: ['D11'],
  },
  {
    id: 'S7.08',
    says: 'The pause before a repetition begins at 100 ms and doubles.',
    where: ['src/lib/constants.ts#retryBaseDelay', 'src/lib/retry.ts#retryDelay'],
    shown: ['test/lib/retry.test.ts: doubles from 100 ms'],
    decided: ['D11'],
  },
  {
    id: 'S7.09',
    says: 'Up to a fifth of the pause is added at random.',
    where: ['src/lib/constants.ts#retryJitter', 'src/lib/retry.ts#retryDelay'],
    shown: ['test/lib/retry.test.ts: has up to a fifth on top'],
    decided: ['D11'],
  },
  {
    id: 'S7.10',
    says: 'The token is sent as bearer.',
    where: ['src/api/client.ts#headersOf'],
    shown: [
      'test/api/client.test.ts: carries the token, leaves nothing in a cache and refuses redirects',
      'test/api/call-table.test.ts: %s',
    ],
  },
  {
    id: 'S7.11',
    says: 'POST /login: user and password as base64.',
    where: ['src/api/auth.ts#login'],
    shown: [
      'test/api/call-table.test.ts: %s',
      'test/api/calls.test.ts: user and password are sent as base64 of UTF-8',
    ],
  },
  {
    id: 'S7.12',
    says: 'The answer to a login has a token and perhaps a warning as base64.',
    where: ['src/api/auth.ts#login'],
    shown: ['test/api/calls.test.ts: login: the token, and the warning as text'],
  },
  {
    id: 'S7.13',
    says: 'GET /health.',
    where: ['src/api/server.ts#readHealth'],
    shown: [
      'test/api/call-table.test.ts: %s',
      'test/api/calls.test.ts: every recorded good answer › %s is understood',
    ],
  },
  {
    id: 'S7.14',
    says: 'GET /db/state: database, transaction and hash.',
    where: ['src/api/server.ts#readState'],
    shown: [
      'test/api/call-table.test.ts: %s',
      'test/api/calls.test.ts: state: an empty database has transaction 0, ids stay exact text',
    ],
  },
  {
    id: 'S7.15',
    says: 'GET /user/list: the users.',
    where: ['src/api/users.ts#listUsers'],
    shown: [
      'test/api/call-table.test.ts: %s',
      'test/api/calls.test.ts: users: names decoded, missing flags and lists filled in',
    ],
  },
  {
    id: 'S7.16',
    says: 'POST /user adds a user.',
    where: ['src/api/users.ts#createUser'],
    shown: [
      'test/api/call-table.test.ts: %s',
      'test/api/users.test.ts: name and password go as base64 where the server wants that',
    ],
  },
  {
    id: 'S7.17',
    says: 'POST /user/setactiveUser makes a user active or not.',
    where: ['src/api/users.ts#setActive'],
    shown: [
      'test/api/call-table.test.ts: %s',
      'test/api/users.test.ts: and as they are everywhere else',
    ],
  },
  {
    id: 'S7.18',
    says: 'POST /user/password/change changes a password.',
    where: ['src/api/users.ts#changePassword'],
    shown: [
      'test/api/call-table.test.ts: %s',
      'test/api/users.test.ts: name and password go as base64 where the server wants that',
    ],
  },
  {
    id: 'S7.19',
    says: 'POST /user/changepermission adds and changes permissions.',
    where: ['src/api/permissions.ts#changePermission'],
    shown: [
      'test/api/call-table.test.ts: %s',
      'test/api/users.test.ts: and as they are everywhere else',
    ],
  },
  {
    id: 'S7.20',
    says: 'The databases are listed, by the newer call.',
    where: ['src/api/databases.ts#listDatabases'],
    shown: [
      'test/api/call-table.test.ts: %s',
      'test/api/databases.test.ts: tells state, size, creation, role and retention',
    ],
    decided: ['D34'],
  },
  {
    id: 'S7.21',
    says: 'A database is created, by the newer call.',
    where: ['src/api/database-settings.ts#createDatabase'],
    shown: [
      'test/api/call-table.test.ts: %s',
      'test/api/databases.test.ts: each call is the recorded one',
    ],
    decided: ['D34'],
  },
  {
    id: 'S7.22',
    says: 'GET /db/table/list: the tables.',
    where: ['src/api/tables.ts#listTables'],
    shown: [
      'test/api/call-table.test.ts: %s',
      'test/api/calls.test.ts: tables: names, and none when there are no rows',
    ],
  },
  {
    id: 'S7.23',
    says: 'POST /db/tables describes a table: the cells of a row are name, type, null, key.',
    where: ['src/api/tables.ts#describeTable', 'src/api/tables.ts#readColumn'],
    shown: [
      'test/api/call-table.test.ts: %s',
      'test/api/columns.test.ts: the first three cells are name, type and whether it may be null',
      'test/api/columns.test.ts: the fourth cell “%s” marks keys and indexes',
    ],
  },
  {
    id: 'S7.24',
    says: 'GET /db/use/{database}: a token.',
    where: ['src/api/auth.ts#openDatabase'],
    shown: [
      'test/api/call-table.test.ts: %s',
      'test/api/calls.test.ts: names of databases are sent percent-encoded; impossible ones are not sent',
    ],
  },
  {
    id: 'S7.25',
    says: 'POST /db/sqlexec with the SQL.',
    where: ['src/api/sql.ts#execSql'],
    shown: [
      'test/api/call-table.test.ts: %s',
      'test/api/calls.test.ts: exec: a transaction without a header is kept apart from one with',
    ],
  },
  {
    id: 'S7.26',
    says: 'POST /db/sqlquery with the SQL; what comes back is appended to the output.',
    where: ['src/api/sql.ts#querySql', 'src/atoms/query/run.ts#runOne'],
    shown: [
      'test/api/call-table.test.ts: %s',
      'test/atoms/run.test.ts: sends each statement by itself, in order, queries and commands to their own calls',
    ],
  },
  {
    id: 'S7.27',
    says: 'POST /db/set stores an entry.',
    where: ['src/api/keys.ts#setKey'],
    shown: ['test/api/call-table.test.ts: %s', 'test/api/keys.test.ts: set with a precondition'],
  },
  {
    id: 'S7.28',
    says: 'An entry is read by its key in the address.',
    where: ['src/api/keys.ts#getKey'],
    shown: [
      'test/api/call-table.test.ts: %s',
      'test/api/keys.test.ts: get, with a revision and with bytes that need the URL-safe alphabet',
    ],
    decided: ['D34'],
  },
  {
    id: 'S7.29',
    says: 'Metrics are found on port 9497 of the present host.',
    where: ['src/lib/constants.ts#metricsPort', 'src/immudb/metrics.ts#usualMetricsAddress'],
    shown: [
      'test/lib/metrics-address.test.ts: the usual address is port 9497 of the same host, by the scheme of the page',
      'test/e2e/overview.e2e.ts: port 9497 of this host is asked when this address has none, by a simple request',
    ],
    decided: ['D26'],
  },
  {
    id: 'S7.30',
    says: 'Metrics are given up after five seconds.',
    where: ['src/lib/constants.ts#metricsTimeout', 'src/api/metrics.ts#fetchMetrics'],
    shown: [
      'test/api/metrics.test.ts: F70 is given up after five seconds, body included, and not repeated',
    ],
  },
  {
    id: 'S7.31',
    says: 'Metrics are got by GET /metrics.',
    where: [
      'src/immudb/metrics.ts#usualMetricsAddress',
      'src/atoms/overview/metrics.ts#metricsAddressesAtom',
    ],
    shown: [
      'test/api/metrics.test.ts: is simple: no token, no header of ours, no cookie, and no call of the API',
      'test/api/metrics.test.ts: without a host goes beside the API, below whatever prefix',
    ],
    decided: ['D26'],
  },
  {
    id: 'S7.32',
    says: 'Metrics come as exposition text.',
    where: ['src/lib/exposition.ts#readExposition'],
    shown: [
      'test/lib/exposition.test.ts: of immudb 1.11.1 gives the readings of the named families only',
      'test/lib/exposition.test.ts: reads %j',
    ],
  },
  {
    id: 'S7.33',
    says: 'Read from it: the hours of uptime.',
    where: ['src/immudb/metrics.ts#metricsOf'],
    shown: ['test/lib/metrics.test.ts: as recorded from 1.11.1'],
  },
  {
    id: 'S7.34',
    says: 'Read from it: the number of stored entries, which is the last transaction.',
    where: ['src/immudb/metrics.ts#databasesOf'],
    shown: ['test/lib/metrics.test.ts: as recorded from 1.11.1'],
    decided: ['D26'],
  },
  {
    id: 'S7.35',
    says: 'Read from it: the bytes of each database.',
    where: ['src/immudb/metrics.ts#databasesOf'],
    shown: [
      'test/lib/metrics.test.ts: as recorded from 1.11.1',
      'test/lib/exposition.test.ts: F71 A13 keeps every hostile label exactly, and pollutes nothing',
    ],
  },
  {
    id: 'S7.36',
    says: 'Read from it: the bytes taken from the system.',
    where: ['src/immudb/metrics.ts#metricsOf'],
    shown: ['test/lib/metrics.test.ts: as recorded from 1.11.1'],
  },
  {
    id: 'S7.37',
    says: 'Read from it: heap and stacks in use.',
    where: ['src/immudb/metrics.ts#metricsOf'],
    shown: ['test/lib/metrics.test.ts: as recorded from 1.11.1'],
  },
  {
    id: 'S7.38',
    says: 'Read from it: how long the server handled calls.',
    where: ['src/immudb/metrics.ts#callsOf'],
    shown: [
      'test/lib/metrics.test.ts: as recorded from 1.11.1',
      'test/lib/metrics.test.ts: without histograms count calls by their results',
    ],
  },
  {
    id: 'S7.39',
    says: 'GET /token of the docker service has a token.',
    where: ['src/api/files.ts#readDockerToken'],
    shown: [
      'test/api/files.test.ts: the docker token: GET /token of its own service, without our token',
    ],
    decided: ['D6'],
  },
  {
    id: 'S7.40',
    says: 'Something is asked of the root instead of the API.',
    where: ['src/api/server-figures.ts#readPageHeaders', 'src/api/client.ts#downloadWith'],
    shown: ['test/api/metrics.test.ts: the page’s own headers come from the mount point'],
  },
  {
    id: 'S7.41',
    says: 'Something is asked of the embedded console itself.',
    where: ['src/api/files.ts#readManifest'],
    shown: [
      'test/api/files.test.ts: the manifest lies beside the page, not below the API',
      'test/screens/settings.test.tsx: versions, the files with their hashes, the licences',
    ],
    decided: ['D37'],
  },
  {
    id: 'S7.42',
    says: 'The code-hosting API is asked for JSON, where that was built in and agreed to.',
    where: ['src/api/files.ts#readStars', 'src/screens/settings/About.tsx#StarCount'],
    shown: [
      'test/api/files.test.ts: the stars: JSON of the code-hosting API, without our token',
      'test/screens/stars.test.tsx: is there once functional cookies are allowed',
    ],
    decided: ['D5'],
  },
  {
    id: 'S7.43',
    says: 'Uptime is written in the units y, mo, w, d, h, m and s.',
    where: ['src/lib/time.ts#formatUptime'],
    shown: ['test/lib/duration.test.ts: an uptime of %s ms is written %s'],
  },
  {
    id: 'S7.44',
    says: 'At most the four largest units are written.',
    where: ['src/lib/time.ts#mostUnits'],
    shown: ['test/lib/duration.test.ts: an uptime of %s ms is written %s'],
  },
  {
    id: 'S7.45',
    says: 'Hours become milliseconds.',
    where: ['src/lib/time.ts#msPerHour', 'src/atoms/overview/figures.ts#startedAtAtom'],
    shown: [
      'test/lib/duration.test.ts: an uptime of %s ms is written %s',
      'test/atoms/metrics.test.ts: the hours of uptime become milliseconds',
    ],
  },
  {
    id: 'S7.46',
    says: 'Memory in use is heap and stacks together.',
    where: ['src/immudb/metrics.ts#metricsOf'],
    shown: ['test/lib/metrics.test.ts: as recorded from 1.11.1'],
  },
]
