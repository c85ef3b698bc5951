/** Ceilings in bytes; brotli means quality 11, each file for itself. A breach fails the build. */
export type Budget = {
  readonly raw?: number
  readonly brotli?: number
  readonly requests?: number
}

/** All scripts until the login form accepts input; requests count the page and its style sheet. */
export const login: Budget = { raw: 360_000, brotli: 105_000, requests: 8 }

export const styles: Budget = { brotli: 12_000 }

/** The frame around every screen after login. */
export const frame = 'src/app/Console.tsx'

/** The frame with all that two or more of the parts behind it share, beyond the login. */
export const frameBudget: Budget = { brotli: 140_000 }

/**
 * Doors that have a script for what only they share, so that it does not come with the frame. A
 * module belongs to the smallest group that has all doors that need it.
 */
export const apart = [
  // What a check found, in words.
  [
    'TrustParts',
    'VerifyScreen',
    'drawers',
    'EvidencePane',
    'row-parts',
    'ServersScreen',
    'OverviewScreen',
    'TransactionsScreen',
  ],
  // How rows are proven and read as of the past.
  ['EvidencePane', 'drawers', 'row-parts'],
  // What transactions wrote: keys, documents, tables.
  ['CompareScreen', 'DocumentsScreen', 'KeysScreen', 'MomentPart', 'TransactionsScreen', 'drawers'],
  // The follower of histories, and audits.
  ['OverviewScreen', 'TrustParts', 'VerifyScreen'],
  // The server's metrics and its users.
  ['EvidencePane', 'OverviewScreen', 'VerifyScreen', 'administration', 'TrustParts', 'MomentPart'],
  // A moment of the past.
  [
    'CompareScreen',
    'DocumentsScreen',
    'KeysScreen',
    'MomentPart',
    'QueryScreen',
    'TransactionsScreen',
    'row-parts',
  ],
  // Statements, and what became of one without an answer.
  ['QueryScreen', 'rare-parts', 'ImportDialog', 'editors'],
  // Rows in pages, and exported.
  ['CompareScreen', 'rare-parts', 'ImportDialog', 'row-parts'],
]

/** What a screen shows at once and fetches beside itself, by the name of its page (`routes.tsx`). */
export const besideScreen: Readonly<Record<string, readonly string[]>> = {
  query: ['src/ui/editors.ts', 'src/ui/windowed.ts'],
  keys: ['src/ui/windowed.ts'],
  documents: ['src/ui/windowed.ts'],
  transactions: ['src/ui/windowed.ts'],
  compare: ['src/ui/windowed.ts'],
}

/** Parts loaded on demand that have a ceiling of their own, by the module that is imported. */
export const parts: Readonly<Record<string, Budget>> = {
  'src/ui/editors.ts': { brotli: 135_000 },
  'src/ui/chart/Plot.tsx': { brotli: 30_000 },
  'src/proof/engine.ts': { brotli: 14_000 },
  'src/ui/windowed.ts': { brotli: 20_000 },
}

/** Anything else that is loaded on demand, such as a screen with its dialogs. */
export const otherPart: Budget = { brotli: 80_000 }

/** Each worker, which loads its own copy of what it shares with the page. */
export const worker: Budget = { brotli: 50_000 }

/** The most scripts in the build, and the bytes below which a script is not worth a request. */
export const scripts = { most: 60, leastBytes: 2_000 }
