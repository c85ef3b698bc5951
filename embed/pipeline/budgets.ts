/** Ceilings in bytes; brotli means quality 11, each file for itself. A breach fails the build. */
export type Budget = {
  readonly raw?: number
  readonly brotli?: number
  readonly requests?: number
}

/** The module whose chunk the login form waits for, beside the start itself. */
export const storageDriver = 'src/atoms/storage/driver.ts'

/** All scripts until the login form accepts input; requests count the page and its style sheet. */
export const login: Budget = { raw: 330_000, brotli: 95_000, requests: 8 }

export const styles: Budget = { brotli: 10_000 }

/** The frame around every screen after login. */
export const frame = 'src/app/Console.tsx'

/** The frame with all that two or more of the parts behind it share, beyond the login. */
export const frameBudget: Budget = { brotli: 110_000 }

/**
 * Modules that several parts share but too few to load them with the frame. Each becomes a script
 * with the modules that only it needs.
 */
export const apart = [
  'src/atoms/audit/actions.ts',
  'src/atoms/audit/arrivals-actions.ts',
  'src/atoms/trust/actions.ts',
  'src/screens/proof/ProofContent.tsx',
  'src/screens/proof/ProofLadder.tsx',
  'src/sql/statements.ts',
  'src/atoms/query/receipts.ts',
  'src/ui/Grid.tsx',
  'src/ui/JsonTree.tsx',
  'src/words/cookies.ts',
  'src/words/evidence.ts',
  'src/words/proof-step.ts',
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
}

/** Anything else that is loaded on demand, such as a screen with its dialogs. */
export const otherPart: Budget = { brotli: 45_000 }

/** Each worker, which loads its own copy of what it shares with the page. */
export const worker: Budget = { brotli: 45_000 }

/** The most scripts in the build, and the bytes below which a script is not worth a request. */
export const scripts = {
  most: 40,
  leastBytes: 2_000,
  /** May be smaller: fetched only when the server cannot list its databases. */
  small: ['src/api/permitted.ts'],
}
