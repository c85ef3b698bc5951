import type { Requirement } from './requirement'

/** Section 1: what the product does and for whom. */
export const purpose: readonly Requirement[] = [
  {
    id: 'S1.01',
    says: 'It is a page in the browser for people who run an immutable, tamper-evident database.',
    where: ['src/main.tsx', 'static/shell.html'],
    shown: ['test/e2e/smoke.e2e.ts: signs in, shows tables, runs SQL, opens every page cold'],
  },
  {
    id: 'S1.02',
    says: 'One signs in on a splash screen.',
    where: ['src/app/splash/Splash.tsx#Splash', 'src/atoms/session/login.ts#loginAtom'],
    shown: [
      'test/e2e/login.e2e.ts: good password: the shell opens where it was asked for',
      'test/app/login.test.tsx: a good login leads to a ready console and stores the token',
    ],
  },
  {
    id: 'S1.03',
    says: 'The health of the server and the state of the database can be seen.',
    where: ['src/screens/overview/StateCard.tsx', 'src/screens/overview/Counters.tsx'],
    shown: [
      'test/e2e/overview.e2e.ts: shows state, counters, recent transactions and the check-up of a real server',
      'test/screens/overview.test.tsx: a server that is away is told by the health, what was known stays',
    ],
  },
  {
    id: 'S1.04',
    says: 'One picks a database and looks through its tables and their columns.',
    where: ['src/app/frame/TopBar.tsx', 'src/screens/query/TablesPane.tsx'],
    shown: [
      'test/e2e/query.e2e.ts: the tree shows columns, types, keys and indexes',
      'test/atoms/queries.test.ts: opened in the tree bring their columns and indexes, each once',
    ],
  },
  {
    id: 'S1.05',
    says: 'SQL that changes and SQL that asks can be run, and what came of it is seen.',
    where: ['src/atoms/query/run.ts#runAtom', 'src/screens/query/OutputPane.tsx#OutputPane'],
    shown: [
      'test/e2e/query.e2e.ts: reads go to sqlquery, the rest to sqlexec, by their first word',
      'test/e2e/query.e2e.ts: a write says its transaction and how many rows',
    ],
  },
  {
    id: 'S1.06',
    says: 'Entries under keys can be set and read.',
    where: ['src/screens/keys/KeysScreen.tsx', 'src/api/keys.ts#setKey', 'src/api/keys.ts#getKey'],
    shown: [
      'test/e2e/keys.e2e.ts: a system admin sets, finds, changes, looks back at, proves and deletes a key',
    ],
  },
  {
    id: 'S1.07',
    says: 'Users, their passwords and their permission on each database are managed.',
    where: ['src/screens/users/UsersScreen.tsx'],
    shown: [
      'test/e2e/users.e2e.ts: adds a user with the chosen database and level; F35: a double click sends one request',
      'test/e2e/users.e2e.ts: changes and removes a permission after asking, D21: only three levels are offered',
      'test/screens/users.test.tsx: the own password asks for the old one, says when it is wrong, and is linked to',
    ],
  },
  {
    id: 'S1.08',
    says: 'Figures of the server are shown: uptime, entries, size, memory, reads and writes.',
    where: ['src/screens/overview/Counters.tsx', 'src/screens/overview/Charts.tsx#Charts'],
    shown: [
      'test/screens/overview.test.tsx: has the counters at once, before any metrics came',
      'test/screens/overview.test.tsx: show sizes at once from the list, memory three seconds later from the metrics',
    ],
    decided: ['D26'],
  },
  {
    id: 'S1.09',
    says: 'A token for the docker service can be got where the build names that service.',
    where: [
      'src/atoms/settings/page-files.ts#fetchDockerTokenAtom',
      'src/screens/settings/Extras.tsx#Extras',
    ],
    shown: [
      'test/atoms/session-life.test.ts: is fetched without the token of the database, and stored',
      'test/screens/settings.test.tsx: an ordinary build says that it has none',
    ],
    decided: ['D6'],
  },
  {
    id: 'S1.10',
    says: 'A guide can be read.',
    where: ['src/screens/guide/GuideScreen.tsx', 'src/app/routes.ts#routes'],
    shown: [
      'test/screens/guide.test.tsx: has a heading for each chapter and section, which the contents lead to',
      'test/e2e/guide.e2e.ts: a link from elsewhere leads through the login to its heading',
    ],
  },
  {
    id: 'S1.11',
    says: 'The title of the page names the product.',
    where: ['static/shell.html', 'src/app/Pages.tsx#useTitle'],
    shown: [
      'test/app/pages.test.tsx: %s has a title of its own',
      'test/build/output.test.ts: they have the title immudb looks for and the policy without frame-ancestors',
    ],
    decided: ['D4'],
  },
  {
    id: 'S1.12',
    says: 'The language of the page is British English.',
    where: ['static/shell.html'],
    shown: [
      'test/e2e/shell.e2e.ts: the document says its language and its own name before the app starts',
    ],
  },
  {
    id: 'S1.13',
    says: 'English is the only language that is switched on.',
    where: ['src/lib/cookies.ts#activeLocales'],
    shown: [
      'test/lib/settings-rules.test.ts: English is the only one that the console itself can be shown in',
    ],
  },
  {
    id: 'S1.14',
    says: 'Addresses begin with the language, except those of the default one.',
    notUsed: 'English is the only language that is switched on, and the default one has no prefix.',
  },
  {
    id: 'S1.15',
    says: 'Twelve languages are listed, each by its own name.',
    where: ['src/lib/cookies.ts#locales', 'src/lib/cookies.ts#localeNames'],
    shown: ['test/lib/settings-rules.test.ts: each is named in itself'],
  },
  {
    id: 'S1.16',
    says: 'Dates can be written as the reader’s language and zone want them.',
    where: ['src/lib/text.ts#formatMoment', 'src/lib/time.ts#zoneNames'],
    shown: ['test/lib/text.test.ts: always show their zone'],
    decided: ['D34'],
  },
  {
    id: 'S1.17',
    says: 'A drawer with the navigation stands beside the content.',
    where: ['src/app/frame/Navigation.tsx#Navigation', 'src/app/frame/Frame.tsx#Frame'],
    shown: ['test/e2e/shell.e2e.ts: full, mini and collapsed, remembered over a reload'],
  },
  {
    id: 'S1.18',
    says: 'On a phone a bar along the top brings the navigation.',
    where: ['src/app/frame/TopBar.tsx#TopBar', 'src/ui/Sheet.tsx#Sheet'],
    shown: ['test/e2e/shell.e2e.ts: on a phone the navigation is a sheet that closes by itself'],
  },
  {
    id: 'S1.19',
    says: 'A footer stands below.',
    where: ['src/app/frame/Frame.tsx#Footer'],
    shown: [
      'test/app/frame-parts.test.tsx: has product, versions, licence and the number of calls',
    ],
    decided: ['D33'],
  },
  {
    id: 'S1.20',
    says: 'A banner can be put aside.',
    where: ['src/app/frame/Notices.tsx#Banner', 'src/atoms/session/banner.ts#putBannerAsideAtom'],
    shown: [
      'test/app/identity.test.tsx: the server’s warning shows after three seconds and stays away once closed',
      'test/e2e/login.e2e.ts: the default password brings a banner that outlives a reload until it is closed',
    ],
  },
  {
    id: 'S1.21',
    says: 'There is a bar that asks about cookies.',
    where: ['src/screens/settings/CookieBar.tsx#CookieBar'],
    shown: [
      'test/e2e/settings.e2e.ts: an ordinary build asks nobody; the bar opens from Settings, in every language',
    ],
    decided: ['D5'],
  },
  {
    id: 'S1.22',
    says: 'It is noticed when the computer goes offline and comes back.',
    where: ['src/app/connection.ts', 'src/app/watch/Watch.tsx#Offline'],
    shown: [
      'test/app/watch.test.tsx: offline is said, and that a server on this computer may answer all the same',
    ],
  },
  {
    id: 'S1.23',
    says: 'A script that records sessions can be loaded from elsewhere.',
    where: ['src/app/watch/Watch.tsx#bringScripts', 'src/lib/build.ts#optionalScripts'],
    shown: [
      'test/app/cookies.test.tsx: are refused by the policy until they were agreed to',
      'test/app/cookies.test.tsx: are brought once',
      'test/build/build-options.test.ts: are all off by themselves',
    ],
    decided: ['D5'],
  },
  {
    id: 'S1.24',
    says: 'A script that counts visits can be loaded from elsewhere.',
    where: ['src/lib/build.ts#optionalScripts', 'embed/pipeline/build-options.ts'],
    shown: [
      'test/build/build-options.test.ts: open the policy for what they name and for nothing else',
      'test/lib/settings-rules.test.ts: scripts and stars do',
    ],
    decided: ['D5'],
  },
]
