/** Ceilings in bytes; brotli means quality 11, each file for itself. A breach fails the build. */
export type Budget = {
  readonly raw?: number
  readonly brotli?: number
  readonly requests?: number
}

/** The module whose chunk the login form waits for, besides the start itself. */
export const storageDriver = 'src/atoms/storage/driver.ts'

/** All scripts until the login form accepts input; requests count the page and its style sheet. */
export const login: Budget = { raw: 330_000, brotli: 95_000, requests: 8 }

export const styles: Budget = { brotli: 10_000 }

/** What every screen stands in once signed in; loaded with the first of them. */
export const frame = 'src/app/Console.tsx'

/** What is shown instead of the console inside somebody else’s page. */
export const framed = 'src/app/Framed.tsx'

/** What the frame loads at once, behind what is seen. */
export const frameWatch = 'src/app/watch/Watch.tsx'

/** The first screen with its frame, without the editor. */
export const queryScreen = 'src/screens/query/QueryScreen.tsx'

/** Parts loaded on demand that have a ceiling of their own, by the module that is imported. */
export const parts: Readonly<Record<string, Budget>> = {
  [queryScreen]: { brotli: 70_000 },
  'src/ui/SqlEditor.tsx': { brotli: 135_000 },
  'src/ui/chart/Plot.tsx': { brotli: 30_000 },
  'src/screens/proof/ProofDrawer.tsx': { brotli: 45_000 },
  'src/screens/guide/GuideScreen.tsx': { brotli: 30_000 },
  'src/screens/verify/audit/AuditPane.tsx': { brotli: 30_000 },
  'src/screens/verify/evidence/EvidencePane.tsx': { brotli: 30_000 },
}

/** Any other screen, beyond the login and the frame. */
export const otherScreen: Budget = { brotli: 25_000 }

/** Each worker, which loads its own copy of what it shares with the page. */
export const worker: Budget = { brotli: 45_000 }

/** Anything else that is loaded on demand. */
export const otherPart: Budget = { brotli: 45_000 }
