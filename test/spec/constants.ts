import type { Requirement } from './requirement'

/** Section 9: business constants and limits. */
export const constants: readonly Requirement[] = [
  {
    id: 'S9.01',
    says: 'Calls: 30 s.',
    where: ['src/lib/constants.ts#apiTimeout'],
    shown: [
      'test/lib/constants.test.ts: the constants of the specification › %s',
      'test/api/client.test.ts: ends %s after 30 s, and nothing is repeated',
    ],
  },
  {
    id: 'S9.02',
    says: 'Metrics: 5 s.',
    where: ['src/lib/constants.ts#metricsTimeout'],
    shown: [
      'test/lib/constants.test.ts: the constants of the specification › %s',
      'test/api/metrics.test.ts: F70 is given up after five seconds, body included, and not repeated',
    ],
  },
  {
    id: 'S9.03',
    says: 'Repetitions: 3.',
    where: ['src/lib/constants.ts#retryCount'],
    shown: [
      'test/lib/constants.test.ts: the constants of the specification › %s',
      'test/lib/retry.test.ts: throw the last failure after three more',
    ],
    decided: ['D11'],
  },
  {
    id: 'S9.04',
    says: 'First pause: 100 ms.',
    where: ['src/lib/constants.ts#retryBaseDelay'],
    shown: [
      'test/lib/constants.test.ts: the constants of the specification › %s',
      'test/lib/retry.test.ts: doubles from 100 ms',
    ],
    decided: ['D11'],
  },
  {
    id: 'S9.05',
    says: 'Port of the metrics: 9497.',
    where: ['src/lib/constants.ts#metricsPort'],
    shown: [
      'test/lib/constants.test.ts: the constants of the specification › %s',
      'test/lib/metrics-address.test.ts: the usual address is port 9497 of the same host, by the scheme of the page',
    ],
    decided: ['D26'],
  },
  {
    id: 'S9.06',
    says: 'Base path: /api.',
    where: ['src/lib/constants.ts#apiBasePath'],
    shown: [
      'test/lib/constants.test.ts: the constants of the specification › %s',
      'test/api/call-table.test.ts: %s',
    ],
  },
  {
    id: 'S9.07',
    says: 'Splash of the app: 1.2 s.',
    where: ['src/lib/constants.ts#appSplashDuration'],
    shown: [
      'test/lib/constants.test.ts: the constants of the specification › %s',
      'test/app/splash.test.tsx: lasts 1.2 s in the app',
    ],
    decided: ['D34'],
  },
  {
    id: 'S9.08',
    says: 'Splash by itself: 3 s.',
    where: ['src/lib/constants.ts#splashDuration'],
    shown: [
      'test/lib/constants.test.ts: the constants of the specification › %s',
      'test/app/splash.test.tsx: lasts 3 s where nothing else is said',
    ],
    decided: ['D34'],
  },
  {
    id: 'S9.09',
    says: 'Poll of the state: 10 s.',
    where: ['src/lib/constants.ts#statePollPeriod'],
    shown: [
      'test/lib/constants.test.ts: the constants of the specification › %s',
      'test/atoms/queries.test.ts: asks every ten seconds while the tab is visible, and not while it is hidden',
    ],
    decided: ['D25'],
  },
  {
    id: 'S9.10',
    says: 'Period of the metrics: 60 s.',
    where: ['src/lib/constants.ts#metricsPeriod'],
    shown: [
      'test/lib/constants.test.ts: the constants of the specification › %s',
      'test/atoms/metrics.test.ts: three seconds after the screen was opened, once more for a rate, then every minute',
    ],
    decided: ['D25'],
  },
  {
    id: 'S9.11',
    says: 'First metrics: after 3 s.',
    where: ['src/lib/constants.ts#metricsDelay'],
    shown: [
      'test/lib/constants.test.ts: the constants of the specification › %s',
      'test/atoms/metrics.test.ts: three seconds after the screen was opened, once more for a rate, then every minute',
    ],
    decided: ['D25'],
  },
  {
    id: 'S9.12',
    says: 'Cookie of the banner when acted on: 7 days.',
    where: ['src/lib/constants.ts#bannerSubmitDays'],
    shown: [
      'test/lib/constants.test.ts: the constants of the specification › %s',
      'test/app/banner.test.tsx: acting on it sets a cookie of seven days',
    ],
  },
  {
    id: 'S9.13',
    says: 'Cookie of the banner when closed: 1 hour.',
    where: ['src/lib/constants.ts#bannerCloseHours'],
    shown: [
      'test/lib/constants.test.ts: the constants of the specification › %s',
      'test/app/banner.test.tsx: closing sets a cookie of one hour',
    ],
  },
  {
    id: 'S9.14',
    says: 'Banner: after 3 s.',
    where: ['src/lib/constants.ts#bannerDelay'],
    shown: [
      'test/lib/constants.test.ts: the constants of the specification › %s',
      'test/app/banner.test.tsx: comes three seconds after the page was opened',
    ],
  },
  {
    id: 'S9.15',
    says: 'Messages: 5 s.',
    where: ['src/lib/constants.ts#toastDuration'],
    shown: [
      'test/lib/constants.test.ts: the constants of the specification › %s',
      'test/ui/toasts.test.tsx: one of the console stays 5 s',
    ],
  },
  {
    id: 'S9.16',
    says: 'Messages that name no time: 3 s.',
    where: ['src/lib/constants.ts#toastDefaultDuration', 'src/ui/toast.tsx#Toaster'],
    shown: [
      'test/lib/constants.test.ts: the constants of the specification › %s',
      'test/ui/toasts.test.tsx: one that names no time of its own stays 3 s',
    ],
  },
  {
    id: 'S9.17',
    says: 'Consent to cookies: one year.',
    where: ['src/lib/constants.ts#consentDays', 'src/atoms/settings/consent.ts#setConsentAtom'],
    shown: [
      'test/lib/constants.test.ts: the constants of the specification › %s',
      'test/atoms/settings.test.ts: an answer is kept for a year',
    ],
  },
  {
    id: 'S9.18',
    says: 'Cookie of the language: 365 days.',
    where: ['src/lib/constants.ts#localeDays', 'src/atoms/settings/consent.ts#setLocaleAtom'],
    shown: [
      'test/lib/constants.test.ts: the constants of the specification › %s',
      'test/atoms/settings.test.ts: the language is remembered for 365 days, only with functional cookies',
    ],
  },
  {
    id: 'S9.19',
    says: 'Other cookies: 1 day.',
    where: ['src/lib/constants.ts#cookieDays', 'src/lib/cookies.ts#cookieLine'],
    shown: [
      'test/lib/constants.test.ts: the constants of the specification › %s',
      'test/lib/settings-rules.test.ts: a cookie lives for a day, on the whole origin and with SameSite Lax, unless told otherwise',
    ],
  },
  {
    id: 'S9.20',
    says: 'Cookies are for the whole origin.',
    where: ['src/lib/constants.ts#cookiePath'],
    shown: [
      'test/lib/constants.test.ts: the constants of the specification › %s',
      'test/lib/settings-rules.test.ts: a cookie lives for a day, on the whole origin and with SameSite Lax, unless told otherwise',
    ],
  },
  {
    id: 'S9.21',
    says: 'Cookies are SameSite Lax.',
    where: ['src/lib/cookies.ts#cookieLine'],
    shown: [
      'test/lib/settings-rules.test.ts: a cookie lives for a day, on the whole origin and with SameSite Lax, unless told otherwise',
      'test/lib/text.test.ts: name path, age and site',
    ],
  },
  {
    id: 'S9.22',
    says: 'Bar of progress: held back for 200 ms.',
    where: ['src/styles/app.css#.progress-bar[data-active="true"]'],
    shown: [
      'test/lib/constants.test.ts: the bar of progress is held back for 200 ms and creeps for 5 s',
    ],
  },
  {
    id: 'S9.23',
    says: 'Bar of progress: 5 s.',
    where: ['src/styles/app.css#.progress-bar[data-active="true"]', 'src/ui/Progress.tsx#Progress'],
    shown: [
      'test/lib/constants.test.ts: the bar of progress is held back for 200 ms and creeps for 5 s',
    ],
  },
  {
    id: 'S9.24',
    says: 'Reloads for a missing part: one a minute.',
    where: ['src/lib/constants.ts#chunkReloadPeriod'],
    shown: [
      'test/lib/constants.test.ts: the constants of the specification › %s',
      'test/ui/load-chunk.test.tsx: a second failure within a minute is thrown instead (F52), a later one reloads again',
    ],
  },
  {
    id: 'S9.25',
    says: 'What stands in for content: held back for 200 ms.',
    where: ['src/styles/app.css#.late'],
    shown: ['test/lib/constants.test.ts: content on its way is held back for 200 ms'],
  },
  {
    id: 'S9.26',
    says: 'Phones: below 600 px.',
    where: ['src/lib/constants.ts#mobileWidth'],
    shown: [
      'test/lib/constants.test.ts: the constants of the specification › %s',
      'test/ui/use-narrow.test.tsx: a window of %i px is %s',
      'test/e2e/spec.e2e.ts: becomes the phone’s layout below 600 px and the wide one again above',
    ],
  },
  {
    id: 'S9.27',
    says: 'Breakpoint of the surface: 1264 px.',
    where: ['src/lib/constants.ts#uiBreakpoint', 'tailwind.config.ts#ui: uiBreakpoint'],
    shown: [
      'test/lib/constants.test.ts: the constants of the specification › %s',
      'test/lib/constants.test.ts: the widths of the style sheet are those of the breakpoints, in their order',
    ],
  },
  {
    id: 'S9.28',
    says: 'Breakpoint xs: 600 px.',
    where: ['src/lib/constants.ts#breakpoints'],
    shown: [
      'test/lib/constants.test.ts: the constants of the specification › %s',
      'test/lib/constants.test.ts: the widths of the style sheet are those of the breakpoints, in their order',
    ],
  },
  {
    id: 'S9.29',
    says: 'Breakpoint sm: 960 px.',
    where: ['src/lib/constants.ts#breakpoints'],
    shown: [
      'test/lib/constants.test.ts: the constants of the specification › %s',
      'test/lib/constants.test.ts: the widths of the style sheet are those of the breakpoints, in their order',
    ],
  },
  {
    id: 'S9.30',
    says: 'Breakpoint md: 1280 px.',
    where: ['src/lib/constants.ts#breakpoints'],
    shown: [
      'test/lib/constants.test.ts: the constants of the specification › %s',
      'test/lib/constants.test.ts: the widths of the style sheet are those of the breakpoints, in their order',
    ],
  },
  {
    id: 'S9.31',
    says: 'Breakpoint lg: 1920 px.',
    where: ['src/lib/constants.ts#breakpoints'],
    shown: [
      'test/lib/constants.test.ts: the constants of the specification › %s',
      'test/lib/constants.test.ts: the widths of the style sheet are those of the breakpoints, in their order',
    ],
  },
  {
    id: 'S9.32',
    says: 'Resizing: looked at after 200 ms.',
    where: ['src/lib/constants.ts#resizeDebounce', 'src/ui/use-narrow.ts#subscribe'],
    shown: [
      'test/lib/constants.test.ts: the constants of the specification › %s',
      'test/ui/use-narrow.test.tsx: a window that is being resized is laid out anew 200 ms after it has settled',
    ],
  },
  {
    id: 'S9.33',
    says: 'Panes left and right: 25 and 75.',
    where: ['src/lib/constants.ts#defaultPaneSizes'],
    shown: [
      'test/lib/constants.test.ts: the constants of the specification › %s',
      'test/atoms/storage.test.ts: the defaults are those of the specification',
    ],
  },
  {
    id: 'S9.34',
    says: 'Panes above and below: 33 and 67.',
    where: ['src/lib/constants.ts#defaultPaneSizes'],
    shown: [
      'test/lib/constants.test.ts: the constants of the specification › %s',
      'test/atoms/storage.test.ts: the defaults are those of the specification',
    ],
  },
  {
    id: 'S9.35',
    says: 'Database at first: defaultdb.',
    where: ['src/lib/constants.ts#defaultDatabase'],
    shown: [
      'test/lib/constants.test.ts: the constants of the specification › %s',
      'test/atoms/storage.test.ts: the defaults are those of the specification',
    ],
  },
  {
    id: 'S9.36',
    says: 'Storage: database “localforage”.',
    where: ['src/lib/constants.ts#storageDatabase', 'src/atoms/storage/driver.ts#driver'],
    shown: [
      'test/lib/constants.test.ts: the constants of the specification › %s',
      'test/atoms/storage-driver.test.ts: the browser’s storage is the specified database and store',
    ],
  },
  {
    id: 'S9.37',
    says: 'Storage: store “keyvaluepairs”.',
    where: ['src/lib/constants.ts#storageStore', 'src/atoms/storage/driver.ts#driver'],
    shown: [
      'test/lib/constants.test.ts: the constants of the specification › %s',
      'test/atoms/storage-driver.test.ts: the browser’s storage is the specified database and store',
    ],
  },
  {
    id: 'S9.38',
    says: 'JSON: lines 20 px high.',
    where: ['src/lib/constants.ts#jsonItemHeight'],
    shown: [
      'test/lib/constants.test.ts: the constants of the specification › %s',
      'test/ui/json-tree.test.tsx: has items 20 px high, 10 of them in sight',
    ],
  },
  {
    id: 'S9.39',
    says: 'JSON: 10 lines in sight.',
    where: ['src/lib/constants.ts#jsonVisibleRows'],
    shown: [
      'test/lib/constants.test.ts: the constants of the specification › %s',
      'test/ui/json-tree.test.tsx: has items 20 px high, 10 of them in sight',
    ],
  },
  {
    id: 'S9.40',
    says: 'Lists in an address repeat their name, without numbers.',
    notUsed: 'No address of the console holds a list.',
  },
  {
    id: 'S9.41',
    says: 'Each of these numbers has one name in one file and is written nowhere else.',
    where: ['src/lib/constants.ts'],
    shown: [
      'test/lib/constants.test.ts: are used, each by its name, and none of them only here',
      'test/lib/constants.test.ts: are not written out anywhere else',
    ],
  },
]
