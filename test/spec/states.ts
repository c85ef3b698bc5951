import type { Requirement } from './requirement'

/** Section 4: states and transitions. */
export const states: readonly Requirement[] = [
  {
    id: 'S4.01',
    says: 'A start reads storage first and then opens the session.',
    where: ['src/atoms/session/start.ts#restoreAtom', 'src/atoms/session/start.ts#enterAtom'],
    shown: [
      'test/atoms/session.test.ts: with nothing stored: the form, and not a single call',
      'test/atoms/session.test.ts: with a token: health, the stored database, ready',
    ],
  },
  {
    id: 'S4.02',
    says: 'With a token the active database is opened.',
    where: ['src/atoms/session/start.ts#openFirst'],
    shown: [
      'test/atoms/session.test.ts: with a token: health, the stored database, ready',
      'test/atoms/session.test.ts: a stored database that %s: the first that opens',
    ],
    decided: ['D9'],
  },
  {
    id: 'S4.03',
    says: 'With a token health, state and users are asked for, each once.',
    where: [
      'src/atoms/session/start.ts#enterAtom',
      'src/atoms/history/state.ts#stateAtom',
      'src/atoms/users/list.ts#usersAtom',
    ],
    shown: [
      'test/atoms/queries.test.ts: the whole console has made at most 8 calls, none of them twice (D9)',
      'test/e2e/login.e2e.ts: a login takes at most 8 API calls: %s',
    ],
    decided: ['D9'],
  },
  {
    id: 'S4.04',
    says: 'Tables are asked for when the state has a transaction; otherwise there are none.',
    where: [
      'src/atoms/query/tables.ts#tablesAtom',
      'src/atoms/history/state.ts#hasTransactionsAtom',
    ],
    shown: [
      'test/atoms/queries.test.ts: an empty database is asked for no tables until it has a transaction',
    ],
    decided: ['D9'],
  },
  {
    id: 'S4.05',
    says: 'The list of databases is asked for.',
    where: ['src/atoms/databases/list.ts#databasesAtom'],
    shown: [
      'test/atoms/queries.test.ts: the whole console has made at most 8 calls, none of them twice (D9)',
    ],
    decided: ['D9'],
  },
  {
    id: 'S4.06',
    says: 'The state is asked for again every ten seconds.',
    where: ['src/lib/constants.ts#statePollPeriod', 'src/atoms/history/state.ts#pollPeriod'],
    shown: [
      'test/atoms/queries.test.ts: asks every ten seconds while the tab is visible, and not while it is hidden',
      'test/atoms/queries.test.ts: never has two under way (F03, F45)',
    ],
    decided: ['D25'],
  },
  {
    id: 'S4.07',
    says: 'When the token goes the splash is back.',
    where: ['src/app/App.tsx#App', 'src/atoms/session/start.ts#dropTokenAtom'],
    shown: [
      'test/app/identity.test.tsx: a lost session covers the intact shell, which comes back as it was',
      'test/atoms/session-life.test.ts: A17 drops the token everywhere and keeps the draft for the same user',
    ],
    decided: ['D8'],
  },
  {
    id: 'S4.08',
    says: 'A good login sets token and user and takes the splash away.',
    where: ['src/atoms/session/login.ts#loginAtom'],
    shown: [
      'test/app/login.test.tsx: a good login leads to a ready console and stores the token',
      'test/app/identity.test.tsx: from the form to the shell and back, without anything of the user left',
    ],
  },
  {
    id: 'S4.09',
    says: 'After a failed login there is neither token nor user.',
    where: ['src/atoms/session/login.ts#loginAtom'],
    shown: [
      'test/atoms/session.test.ts: %s changes nothing and is said',
      'test/e2e/login.e2e.ts: wrong password: said in the form, once, and nothing is kept',
    ],
  },
  {
    id: 'S4.10',
    says: 'The form hands on user and password once both are good, and closes.',
    where: ['src/app/splash/LoginCard.tsx#LoginForm'],
    shown: [
      'test/app/login.test.tsx: sends nothing before both are there',
      'test/app/login.test.tsx: a good login leads to a ready console and stores the token',
    ],
  },
  {
    id: 'S4.11',
    says: 'A form that is opened again is empty and has no errors.',
    where: ['src/app/splash/LoginCard.tsx#LoginCard'],
    shown: ['test/app/login.test.tsx: each time it opens the form is empty and without errors'],
  },
  {
    id: 'S4.12',
    says: 'Later calls carry the token that came with the opened database.',
    where: ['src/atoms/session/client.ts#fetchDatabaseToken'],
    shown: [
      'test/atoms/queries.test.ts: a change of database asks for each thing once, with the token of the new one',
      'test/atoms/session.test.ts: each call carries the token of its database; going back opens none again',
    ],
    decided: ['D9'],
  },
  {
    id: 'S4.13',
    says: 'A state without a transaction counts as transaction 0.',
    where: ['src/api/schemas.ts#int64', 'src/atoms/history/state.ts#presentTxAtom'],
    shown: [
      'test/api/calls.test.ts: state: an empty database has transaction 0, ids stay exact text',
      'test/atoms/queries.test.ts: an empty database is asked for no tables until it has a transaction',
    ],
    decided: ['D14'],
  },
  {
    id: 'S4.14',
    says: 'Where none is chosen and none exists the chosen transaction is 1.',
    where: ['src/atoms/history/state.ts#chosenTxAtom', 'src/lib/constants.ts#firstTransaction'],
    shown: [
      'test/atoms/time-travel.test.ts: is the present one until another is chosen, and each database has its own',
      'test/atoms/queries.test.ts: an empty database is asked for no tables until it has a transaction',
    ],
    decided: ['D18'],
  },
  {
    id: 'S4.15',
    says: 'A result is marked when the chosen transaction is not the present one.',
    where: ['src/atoms/history/state.ts#pastMomentAtom', 'src/atoms/query/run.ts#runOne'],
    shown: [
      'test/atoms/time-travel.test.ts: flags an entry when it differs from the present one, and the sent text is shown',
      'test/atoms/time-travel.test.ts: that is the present one changes nothing, until something is written',
      'test/e2e/query-more.e2e.ts: shows the past, flags it, sends each table with its period, and writes nothing',
    ],
    decided: ['D18'],
  },
  {
    id: 'S4.16',
    says: 'The theme goes from dark to light and back; anything else is ignored.',
    where: ['src/atoms/settings/view.ts#setThemeAtom'],
    shown: [
      'test/atoms/storage.test.ts: a theme that is none is ignored',
      'test/atoms/settings.test.ts: anything else is ignored',
      'test/screens/settings.test.tsx: the theme: dark, light or as the system',
    ],
  },
  {
    id: 'S4.17',
    says: 'Labels of what is loading are put on and taken off.',
    where: [
      'src/atoms/session/loading.ts#pushLoadingAtom',
      'src/atoms/session/loading.ts#popLoadingAtom',
    ],
    shown: ['test/atoms/loading.test.ts: are pushed on top and each taken away by itself'],
  },
  {
    id: 'S4.18',
    says: 'A call that fails takes its label away.',
    where: ['src/api/client.ts#createClient'],
    shown: [
      'test/atoms/loading.test.ts: a failed call clears its own, and the error goes on to whoever asked',
    ],
  },
  {
    id: 'S4.19',
    says: 'The output can be emptied.',
    where: [
      'src/atoms/query/output.ts#setOutputAtom',
      'src/screens/query/OutputPane.tsx#OutputBar',
    ],
    shown: [
      'test/atoms/output.test.ts: can be set as a whole, and emptied',
      'test/atoms/run.test.ts: a result that was cleared while it ran stays away',
    ],
  },
  {
    id: 'S4.20',
    says: 'A result is appended with a divider behind it.',
    where: ['src/atoms/query/output.ts#appendOutputAtom'],
    shown: ['test/atoms/output.test.ts: gets a result and a divider behind it'],
  },
  {
    id: 'S4.21',
    says: 'The output can be set as a whole.',
    where: ['src/atoms/query/output.ts#setOutputAtom'],
    shown: ['test/atoms/output.test.ts: can be set as a whole, and emptied'],
  },
  {
    id: 'S4.22',
    says: 'SQL is run as a query or as a command.',
    where: [
      'src/atoms/query/send-statement.ts#RunMode',
      'src/atoms/query/send-statement.ts#isQuery',
    ],
    shown: [
      'test/atoms/run.test.ts: an operator may say how a statement is sent',
      'test/sql/statements.test.ts: classifies %j',
    ],
    decided: ['D15'],
  },
  {
    id: 'S4.23',
    says: 'The banner opens when its state says so.',
    where: ['src/app/frame/Notices.tsx#Banner'],
    shown: ['test/app/banner.test.tsx: is there when its state says so, and not otherwise'],
  },
  {
    id: 'S4.24',
    says: 'Closing the banner sets a cookie for an hour.',
    where: [
      'src/atoms/session/banner.ts#putBannerAsideAtom',
      'src/lib/constants.ts#bannerCloseHours',
    ],
    shown: ['test/app/banner.test.tsx: closing sets a cookie of one hour'],
  },
  {
    id: 'S4.25',
    says: 'Acting on the banner sets a cookie for seven days.',
    where: [
      'src/atoms/session/banner.ts#putBannerAsideAtom',
      'src/lib/constants.ts#bannerSubmitDays',
    ],
    shown: ['test/app/banner.test.tsx: acting on it sets a cookie of seven days'],
  },
  {
    id: 'S4.26',
    says: 'The banner comes three seconds after the page, unless its cookie is there.',
    where: ['src/app/frame/Notices.tsx#useDue', 'src/lib/constants.ts#bannerDelay'],
    shown: [
      'test/app/banner.test.tsx: comes three seconds after the page was opened',
      'test/app/banner.test.tsx: stays away while its cookie is there',
    ],
  },
  {
    id: 'S4.27',
    says: 'A warning that came with the login, as base64, is shown in the banner.',
    where: ['src/api/auth.ts#readWarning', 'src/atoms/session/login.ts#loginAtom'],
    shown: [
      'test/api/calls.test.ts: login: the token, and the warning as text',
      'test/atoms/session.test.ts: the server’s warning goes to the banner; the next login without one takes it away',
    ],
  },
  {
    id: 'S4.28',
    says: 'Metrics are asked for three seconds after they are shown.',
    where: ['src/lib/constants.ts#metricsDelay', 'src/atoms/overview/metrics.ts#metricsTimeAtom'],
    shown: [
      'test/atoms/metrics.test.ts: three seconds after the screen was opened, once more for a rate, then every minute',
      'test/e2e/overview.e2e.ts: reads the metrics of its own server in a worker, once after three seconds',
    ],
    decided: ['D25'],
  },
  {
    id: 'S4.29',
    says: 'From then on they are asked for once in their period.',
    where: ['src/atoms/overview/metrics.ts#metricsAtom'],
    shown: [
      'test/atoms/metrics.test.ts: three seconds after the screen was opened, once more for a rate, then every minute',
      'test/atoms/metrics.test.ts: no more once the screen is left, and again three seconds after it is back',
    ],
    decided: ['D25'],
  },
  {
    id: 'S4.30',
    says: 'Without a period of their own three seconds would count; here the period is always known.',
    where: ['src/lib/constants.ts#metricsDelay', 'src/lib/constants.ts#metricsPeriod'],
    shown: [
      'test/atoms/metrics.test.ts: three seconds after the screen was opened, once more for a rate, then every minute',
    ],
    decided: ['D25'],
  },
  {
    id: 'S4.31',
    says: 'Consent is not given, or given to all, to some, or declined.',
    where: ['src/lib/cookies.ts#consentState'],
    shown: [
      'test/lib/settings-rules.test.ts: %s is written and read as %s',
      'test/lib/settings-rules.test.ts: accepting and declining all',
      'test/lib/settings-rules.test.ts: a cookie that says %s is no answer',
    ],
  },
  {
    id: 'S4.32',
    says: 'A part of the program that cannot be fetched reloads the page.',
    where: ['src/ui/lazy-with-retry.tsx#loadOrReload'],
    shown: [
      'test/ui/load-chunk.test.tsx: drafts are kept first, then the page is reloaded, once (F51)',
      'test/e2e/faults-chunks.e2e.ts: F51: drafts are saved, the page loads again once, the screen opens',
    ],
  },
  {
    id: 'S4.33',
    says: 'It does so at most once a minute.',
    where: ['src/ui/lazy-with-retry.tsx#mayReload', 'src/lib/constants.ts#chunkReloadPeriod'],
    shown: [
      'test/ui/load-chunk.test.tsx: a second failure within a minute is thrown instead (F52), a later one reloads again',
    ],
  },
]
