import type { Requirement } from './requirement'

/** Section 2: screens and routes. */
export const screens: readonly Requirement[] = [
  {
    id: 'S2.01',
    says: 'Addresses are those of the browser’s history, without a hash, below the mount point.',
    where: ['src/lib/paths.ts#mountPath', 'src/app/Console.tsx'],
    shown: [
      'test/ui/Link.test.tsx: goes there without loading the page',
      'test/lib/paths.test.ts: of %s is %j',
    ],
    decided: ['D2'],
  },
  {
    id: 'S2.02',
    says: 'The name of a route ends in the language it is in.',
    notUsed:
      'English is the only language that the console is shown in, so nothing asks for such a name.',
  },
  {
    id: 'S2.03',
    says: 'The root is the main screen: state, figures and charts.',
    where: ['src/screens/overview/OverviewScreen.tsx', 'src/lib/paths.ts#pages'],
    shown: [
      'test/e2e/overview.e2e.ts: shows state, counters, recent transactions and the check-up of a real server',
    ],
  },
  {
    id: 'S2.04',
    says: '/databases is where databases are managed.',
    where: ['src/screens/databases/DatabasesScreen.tsx'],
    shown: ['test/e2e/databases.e2e.ts: creates, uses, unloads, loads and deletes a database'],
  },
  {
    id: 'S2.05',
    says: '/guide is the guide.',
    where: ['src/screens/guide/GuideScreen.tsx'],
    shown: [
      'test/e2e/shell.e2e.ts: every page opens cold, with and without a slash at the end',
      'test/app/pages.test.tsx: are these, with a screen each',
    ],
  },
  {
    id: 'S2.06',
    says: '/query is where SQL is written and run, with a pane for the text and one for the output.',
    where: ['src/screens/query/QueryScreen.tsx', 'src/screens/query/EditorPane.tsx'],
    shown: ['test/e2e/query.e2e.ts: the statement at the cursor, the selection, or all'],
  },
  {
    id: 'S2.07',
    says: '/settings is where the console is set up.',
    where: ['src/screens/settings/SettingsScreen.tsx'],
    shown: [
      'test/screens/settings.test.tsx: has a heading, a section for everything, and links to them',
      'test/e2e/settings.e2e.ts: are kept over a reload and apply at once',
    ],
  },
  {
    id: 'S2.08',
    says: '/users is where users and permissions are managed.',
    where: ['src/screens/users/UsersScreen.tsx'],
    shown: [
      'test/e2e/users.e2e.ts: adds a user with the chosen database and level; F35: a double click sends one request',
    ],
  },
  {
    id: 'S2.09',
    says: 'Any other address is caught and gets the page for what is not found.',
    where: ['src/app/Pages.tsx#Pages'],
    shown: [
      'test/e2e/shell.e2e.ts: an unknown address: status 404, the specified text and a way home',
      'test/lib/paths.test.ts: are found by their path, its folder and the file in it, and by nothing else',
    ],
  },
  {
    id: 'S2.10',
    says: 'A page for what is only planned is registered.',
    where: ['src/screens/comingsoon/ComingSoonScreen.tsx', 'src/lib/paths.ts#pages'],
    shown: [
      'test/app/pages.test.tsx: are these, with a screen each',
      'test/e2e/shell.e2e.ts: every page opens cold, with and without a slash at the end',
    ],
  },
  {
    id: 'S2.11',
    says: 'There is a rule that a route can name to be sent to the root instead.',
    notUsed: 'Every page is shown to whoever opens its address, also the one for what is planned.',
  },
  {
    id: 'S2.12',
    says: 'Failures of a route show a page with what happened.',
    where: ['src/app/ErrorPage.tsx#ErrorPage', 'src/ui/Boundary.tsx#Boundary'],
    shown: [
      'test/ui/load-chunk.test.tsx: keeps a failure to its part, which can be tried again',
      'test/e2e/faults-chunks.e2e.ts: F52: gone for good: a message and no loop of reloads',
    ],
  },
  {
    id: 'S2.13',
    says: 'A missing page is told in the specified words, with the specified way home.',
    where: ['src/lib/messages.ts#messages', 'src/app/ErrorPage.tsx#ErrorPage'],
    shown: ['test/app/pages.test.tsx: for 404 has the specified words and the way home'],
  },
  {
    id: 'S2.14',
    says: 'A page may check its address first; if that fails it is as if it did not exist.',
    notUsed:
      'What an address may hold is checked by the screen that reads it, which says what it cannot find.',
  },
  {
    id: 'S2.15',
    says: 'The status on that page is the error’s own, and 500 for one that has none.',
    where: ['src/app/ErrorPage.tsx#statusOf'],
    shown: [
      'test/app/pages.test.tsx: takes the status from the error; an error without one counts as 500',
    ],
  },
  {
    id: 'S2.16',
    says: 'A rule that does not exist is status 500 and is named.',
    notUsed: 'Routes name no rules.',
  },
  {
    id: 'S2.17',
    says: 'Whatever page one goes to, its calls carry the token that is valid then.',
    where: ['src/api/client.ts#headersOf', 'src/atoms/session/client.ts#tokenFor'],
    shown: [
      'test/api/client.test.ts: the token is asked for at each request, with the database it is about',
      'test/atoms/session.test.ts: each call carries the token of its database; going back opens none again',
    ],
    decided: ['D10'],
  },
  {
    id: 'S2.18',
    says: 'The splash fills the window, and neither Escape nor a press beside it closes it.',
    where: ['src/app/splash/Splash.tsx#Splash'],
    shown: [
      'test/app/splash.test.tsx: is not closed by a key or a press beside it',
      'test/e2e/spec.e2e.ts: the splash has mascot, mark and provider’s mark in their sizes, and covers all',
    ],
  },
  {
    id: 'S2.19',
    says: 'On it stands a mascot.',
    where: ['src/ui/Mascot.tsx#Mascot'],
    shown: [
      'test/e2e/spec.e2e.ts: the splash has mascot, mark and provider’s mark in their sizes, and covers all',
    ],
    decided: ['D1'],
  },
  {
    id: 'S2.20',
    says: 'The product’s mark on it is 32 pixels high.',
    where: ['src/lib/constants.ts#splashLogoHeight', 'src/app/splash/Splash.tsx#Splash'],
    shown: [
      'test/app/splash.test.tsx: has the product’s mark 32 px high, the provider’s 64 px, and a spinner of 96 px',
    ],
  },
  {
    id: 'S2.21',
    says: 'The provider’s mark at its foot is 64 pixels high.',
    where: ['src/lib/constants.ts#splashProviderHeight', 'src/app/splash/Splash.tsx#ProviderMark'],
    shown: [
      'test/app/splash.test.tsx: has the product’s mark 32 px high, the provider’s 64 px, and a spinner of 96 px',
      'test/e2e/spec.e2e.ts: the splash has mascot, mark and provider’s mark in their sizes, and covers all',
    ],
    decided: ['D33'],
  },
  {
    id: 'S2.22',
    says: 'The mascot is 185 pixels high on a phone and 245 elsewhere, never more.',
    where: ['src/ui/Mascot.tsx#Mascot'],
    shown: [
      'test/e2e/spec.e2e.ts: the splash has mascot, mark and provider’s mark in their sizes, and covers all',
    ],
    decided: ['D34'],
  },
  {
    id: 'S2.23',
    says: 'What is behind the splash cannot be seen or used until it is over.',
    where: ['src/app/App.tsx#App'],
    shown: [
      'test/app/identity.test.tsx: a lost session covers the intact shell, which comes back as it was',
      'test/e2e/spec.e2e.ts: the splash has mascot, mark and provider’s mark in their sizes, and covers all',
    ],
    decided: ['D8'],
  },
  {
    id: 'S2.24',
    says: 'Without a token it holds a card with a subtitle and the form.',
    where: ['src/app/splash/LoginCard.tsx#LoginCard'],
    shown: [
      'test/app/splash.test.tsx: without a token has a card with a subtitle, both fields and the button',
    ],
  },
  {
    id: 'S2.25',
    says: 'The field for the user has the focus at once.',
    where: ['src/app/splash/LoginCard.tsx#LoginForm'],
    shown: [
      'test/app/login.test.tsx: has the fields a password manager knows, and the focus in the first empty one',
    ],
  },
  {
    id: 'S2.26',
    says: 'The password can be shown and hidden.',
    where: ['src/ui/PasswordField.tsx#PasswordField'],
    shown: [
      'test/app/login.test.tsx: shows and hides the password, and says why a login failed',
      'test/ui/parts.test.tsx: shows a password on demand and changes nothing of it',
    ],
  },
  {
    id: 'S2.27',
    says: 'A button sends the form.',
    where: ['src/app/splash/LoginCard.tsx#LoginForm'],
    shown: [
      'test/app/splash.test.tsx: without a token has a card with a subtitle, both fields and the button',
      'test/app/login.test.tsx: sends once: not while it is busy',
    ],
  },
  {
    id: 'S2.28',
    says: 'With a token it shows a turning ring of 96 pixels that is called “loading”.',
    where: ['src/ui/Spinner.tsx#Spinner', 'src/lib/constants.ts#splashSpinnerSize'],
    shown: [
      'test/app/splash.test.tsx: has the product’s mark 32 px high, the provider’s 64 px, and a spinner of 96 px',
      'test/app/login.test.tsx: is a dialog over everything with a spinner while storage is read',
    ],
  },
  {
    id: 'S2.29',
    says: 'The splash lasts three seconds by itself.',
    where: ['src/app/splash/Splash.tsx#Splash', 'src/lib/constants.ts#splashDuration'],
    shown: ['test/app/splash.test.tsx: lasts 3 s where nothing else is said'],
    decided: ['D34'],
  },
  {
    id: 'S2.30',
    says: 'The app gives its splash 1.2 seconds.',
    where: ['src/app/App.tsx#App', 'src/lib/constants.ts#appSplashDuration'],
    shown: ['test/app/splash.test.tsx: lasts 1.2 s in the app'],
    decided: ['D34'],
  },
  {
    id: 'S2.31',
    says: 'Once all is ready the splash is gone.',
    where: ['src/app/App.tsx#App'],
    shown: [
      'test/app/identity.test.tsx: from the form to the shell and back, without anything of the user left',
    ],
    decided: ['D34'],
  },
  {
    id: 'S2.32',
    says: 'The logo has a form for dark and one for light surfaces.',
    where: ['src/ui/Logo.tsx#Logo'],
    shown: ['test/ui/parts.test.tsx: the logo has a name in every form'],
    decided: ['D34'],
  },
  {
    id: 'S2.33',
    says: 'The logo is there as drawing and as picture.',
    where: ['src/ui/Logo.tsx#LogoPicture'],
    shown: ['test/ui/parts.test.tsx: the logo has a name in every form'],
    decided: ['D34'],
  },
  {
    id: 'S2.34',
    says: 'The logo is 48 pixels high unless told otherwise.',
    where: ['src/lib/constants.ts#logoHeight', 'src/ui/Logo.tsx#Logo'],
    shown: ['test/ui/parts.test.tsx: the logo has a name in every form'],
    decided: ['D34'],
  },
  {
    id: 'S2.35',
    says: 'The drawer can show icons alone, or be put away; both are remembered.',
    where: ['src/atoms/settings/view.ts#sidebarAtom', 'src/app/frame/Frame.tsx#Frame'],
    shown: ['test/e2e/shell.e2e.ts: full, mini and collapsed, remembered over a reload'],
  },
  {
    id: 'S2.36',
    says: 'Breadcrumbs say where one is.',
    where: ['src/app/frame/TopBar.tsx#Breadcrumbs'],
    shown: ['test/app/frame-parts.test.tsx: of %s lead home and end at the page'],
  },
  {
    id: 'S2.37',
    says: 'The banner is shown or not.',
    where: ['src/app/frame/Notices.tsx#Banner'],
    shown: ['test/app/banner.test.tsx: is there when its state says so, and not otherwise'],
  },
  {
    id: 'S2.38',
    says: 'The banner has a title and a subtitle.',
    where: ['src/app/frame/Notices.tsx#Banner', 'src/atoms/session/warning-banner.ts#bannerOf'],
    shown: ['test/app/banner.test.tsx: has a title, a subtitle, a colour and an icon'],
  },
  {
    id: 'S2.39',
    says: 'The banner has a colour and an icon.',
    where: ['src/app/frame/Notices.tsx#tones', 'src/app/frame/Notices.tsx#icons'],
    shown: ['test/app/banner.test.tsx: has a title, a subtitle, a colour and an icon'],
  },
  {
    id: 'S2.40',
    says: 'A persistent banner cannot be closed.',
    where: ['src/app/frame/Notices.tsx#Banner'],
    shown: ['test/app/banner.test.tsx: that is persistent cannot be closed, only be acted on'],
  },
  {
    id: 'S2.41',
    says: 'Something shows that the server is being waited for.',
    where: ['src/app/frame/Frame.tsx#Busy', 'src/ui/Progress.tsx#Progress'],
    shown: [
      'test/app/frame-parts.test.tsx: is there while anything is under way',
      'test/e2e/spec.e2e.ts: shows the bar along the top until it is answered',
    ],
  },
  {
    id: 'S2.42',
    says: 'There is a dark and a light theme.',
    where: ['src/app/App.tsx#applyTheme', 'src/styles/app.css'],
    shown: [
      'test/ui/parts.test.tsx: a theme is painted and remembered for the next load',
      'test/e2e/shell.e2e.ts: the chosen theme is there before any of the app’s code runs',
    ],
  },
  {
    id: 'S2.43',
    says: 'Panes can be resized, by pointer and by keys.',
    where: ['src/ui/Panes.tsx#Panes'],
    shown: [
      'test/ui/lists.test.tsx: resize by keyboard and tell percentages, but not for their first layout',
      'test/e2e/query.e2e.ts: sizes are kept over a reload',
    ],
  },
  {
    id: 'S2.44',
    says: 'JSON is shown as a tree.',
    where: ['src/ui/JsonTree.tsx#JsonTree'],
    shown: [
      'test/ui/json-tree.test.tsx: shows members at first and what is in them when it is opened',
      'test/e2e/query-more.e2e.ts: a JSON value is shown as a tree',
    ],
  },
  {
    id: 'S2.45',
    says: 'The editor remembers 50 steps that can be undone.',
    where: ['src/ui/sql-editor/editor.ts#fixedExtensions', 'src/lib/constants.ts#undoDepth'],
    shown: [
      'test/ui/editor-history.test.tsx: at least the last 50 steps are kept, and not all for ever',
    ],
    decided: ['D34'],
  },
  {
    id: 'S2.46',
    says: 'Changes in the editor within three seconds of each other are one step.',
    where: ['src/ui/sql-editor/editor.ts#fixedExtensions', 'src/lib/constants.ts#undoMergePeriod'],
    shown: [
      'test/ui/editor-history.test.tsx: what is typed within three seconds of each other is one step',
    ],
    decided: ['D34'],
  },
  {
    id: 'S2.47',
    says: 'Texts can be copied to the clipboard.',
    where: ['src/ui/clipboard.ts#copyText', 'src/ui/CopyButton.tsx#CopyButton'],
    shown: [
      'test/ui/parts.test.tsx: puts the exact text on the clipboard and says so',
      'test/ui/parts.test.tsx: on plain http selects a text area, copies exactly and gives the focus back',
    ],
    decided: ['D30'],
  },
  {
    id: 'S2.48',
    says: 'Messages appear at the top right.',
    where: ['src/ui/toast.tsx#Toaster'],
    shown: ['test/e2e/spec.e2e.ts: messages stand at the top right, below the bar'],
  },
  {
    id: 'S2.49',
    says: 'Messages move in and out within 300 milliseconds.',
    where: ['src/lib/constants.ts#toastAnimation', 'src/styles/app.css#toast-in 300ms'],
    shown: [
      'test/lib/constants.test.ts: messages come and go in 300 ms',
      'test/ui/overlays.test.tsx: goes after 5 s and 300 ms of leaving',
    ],
    decided: ['D34'],
  },
  {
    id: 'S2.50',
    says: 'The cookie bar has its specified words: all and none, manage, save, close, three kinds.',
    where: ['src/words/cookies.ts#cookieTexts'],
    shown: ['test/lib/settings-rules.test.ts: have the specified English words'],
  },
  {
    id: 'S2.51',
    says: 'In the place of content from elsewhere a notice asks for functional cookies.',
    where: ['src/screens/settings/About.tsx#Stars'],
    shown: [
      'test/screens/stars.test.tsx: is not asked for without functional cookies; a notice stands in its place',
    ],
    decided: ['D5'],
  },
  {
    id: 'S2.52',
    says: 'All cookies can be accepted.',
    where: ['src/screens/settings/CookieBar.tsx#CookieChoices'],
    shown: ['test/app/cookies.test.tsx: all can be accepted'],
  },
  {
    id: 'S2.53',
    says: 'All but the necessary can be declined.',
    where: ['src/screens/settings/CookieBar.tsx#CookieChoices'],
    shown: ['test/app/cookies.test.tsx: all but the necessary can be declined'],
  },
  {
    id: 'S2.54',
    says: 'Cookies can be managed by three kinds and the choice saved.',
    where: [
      'src/lib/cookies.ts#consentCategories',
      'src/screens/settings/CookieBar.tsx#Categories',
    ],
    shown: ['test/app/cookies.test.tsx: some can be chosen by category and saved'],
  },
  {
    id: 'S2.55',
    says: 'All cookies can be deleted.',
    where: ['src/atoms/settings/consent.ts#deleteCookiesAtom'],
    shown: [
      'test/app/cookies.test.tsx: all can be deleted',
      'test/atoms/settings.test.ts: all can be deleted, the answer included; those of others stay',
    ],
  },
  {
    id: 'S2.56',
    says: 'The bar can be closed without an answer.',
    where: ['src/screens/settings/CookieBar.tsx#CookieBar'],
    shown: ['test/app/cookies.test.tsx: closing it is no answer'],
  },
  {
    id: 'S2.57',
    says: 'The bar speaks the eleven other languages too.',
    where: ['src/words/cookies.ts#cookieTexts'],
    shown: [
      'test/app/cookies.test.tsx: speaks %s',
      'test/lib/settings-rules.test.ts: are there in twelve languages, each text in each',
      'test/lib/settings-rules.test.ts: are translated, not copied',
    ],
  },
]
