/** Ceilings in bytes; brotli means quality 11, each file for itself. A breach fails the build. */
export type Budget = {
  readonly raw?: number
  readonly brotli?: number
  readonly requests?: number
}

/** All scripts until the login form accepts input; requests count the page and its style sheet. */
export const login: Budget = { raw: 330_000, brotli: 95_000, requests: 8 }

export const styles: Budget = { brotli: 11_000 }

/** The frame around every screen after login. */
export const frame = 'src/app/Console.tsx'

/** The frame with all that two or more of the parts behind it share, beyond the login. Aim: 110 kB. */
export const frameBudget: Budget = { brotli: 116_000 }

/**
 * Doors that have a script for what only they share, so that it does not come with the frame. A
 * module belongs to the smallest group that has all doors that need it.
 */
export const apart = [
  // Documents, and what writes them.
  ['DocumentsScreen', 'writing'],
  // The follower of histories, audits, and files of evidence.
  ['TrustParts', 'VerifyScreen', 'EvidencePane'],
  // The server's metrics.
  ['OverviewScreen', 'administration'],
  // What a check found, in words.
  [
    'TrustParts',
    'VerifyScreen',
    'OverviewScreen',
    'drawers',
    'EvidencePane',
    'ResultRows',
    'TablePane',
    'ServersScreen',
  ],
  // The grid.
  ['ChartTable', 'ResultRows', 'CompareScreen', 'DocumentsScreen', 'TablePane'],
  // Keys and their states at a moment.
  ['KeysScreen', 'DocumentsScreen', 'writing', 'drawers'],
  // What transactions wrote, and the tables that they made.
  [
    'KeysScreen',
    'DocumentsScreen',
    'writing',
    'drawers',
    'TransactionsScreen',
    'CompareScreen',
    'MomentPart',
  ],
  // A moment of the past, and what is read of it.
  [
    'CompareScreen',
    'KeysScreen',
    'DocumentsScreen',
    'writing',
    'MomentPart',
    'QueryScreen',
    'TransactionsScreen',
    'TablePane',
  ],
  // The transactions that wrote a row.
  ['ResultRows', 'drawers', 'TablePane'],
  // How a row is proven.
  ['ResultRows', 'engine', 'TablePane'],
  // Rows, values and revisions.
  [
    'KeysScreen',
    'DocumentsScreen',
    'writing',
    'ChartTable',
    'ResultRows',
    'TablePane',
    'CompareScreen',
    'TransactionsScreen',
    'drawers',
    'EvidencePane',
  ],
]

/** What a screen shows at once and fetches beside itself, by the name of its page (`routes.ts`). */
export const besideScreen: Readonly<Record<string, string>> = {
  overview: 'src/ui/chart/Plot.tsx',
  query: 'src/ui/SqlEditor.tsx',
}

/** Parts loaded on demand that have a ceiling of their own, by the module that is imported. */
export const parts: Readonly<Record<string, Budget>> = {
  'src/ui/SqlEditor.tsx': { brotli: 135_000 },
  'src/ui/chart/Plot.tsx': { brotli: 30_000 },
  'src/proof/engine.ts': { brotli: 14_000 },
  // Above the 45 kB of other screens since tables and documents came. They may not grow further.
  'src/app/trust/drawers.ts': { brotli: 50_000 },
  'src/screens/compare/CompareScreen.tsx': { brotli: 53_000 },
  'src/screens/documents/DocumentsScreen.tsx': { brotli: 51_500 },
  'src/screens/keys/KeysScreen.tsx': { brotli: 47_200 },
  'src/screens/query/QueryScreen.tsx': { brotli: 45_500 },
  'src/screens/tables/TablePane.tsx': { brotli: 68_000 },
  'src/screens/transactions/TransactionsScreen.tsx': { brotli: 48_700 },
}

/** Anything else that is loaded on demand, such as a screen with its dialogs. */
export const otherPart: Budget = { brotli: 45_000 }

/** Each worker, which loads its own copy of what it shares with the page. */
export const worker: Budget = { brotli: 45_000 }

/** The most scripts in the build, and the bytes below which a script is not worth a request. */
export const scripts = {
  most: 45,
  leastBytes: 2_000,
  /** May be smaller: few ask for it. */
  small: ['src/ui/chart/ChartTable.tsx'],
}
