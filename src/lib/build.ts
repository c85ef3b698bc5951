declare const __VERSION__: string
declare const __COMMIT__: string

/** What the build stamped into this bundle; `commit` is `dev` outside a git checkout. */
export const build = { version: __VERSION__, commit: __COMMIT__ } as const

// Texts, because esbuild would put an object as a module of its own below every module.
declare const __WORKERS__: string
declare const __OPTIONS__: string

/** File names of the workers of this build, by the names of their sources; empty in tests. */
export const workers: ReadonlyMap<string, string> = new Map(Object.entries(JSON.parse(__WORKERS__)))

/** Extras of this build; an empty text means that one is not built in. */
export type BuildOptions = {
  readonly dockerTokenUrl: string
  readonly recordingScript: string
  readonly analyticsScript: string
  readonly starsUrl: string
  /** Where the link “Feedback” leads. */
  readonly feedbackUrl: string
}

export const options: BuildOptions = JSON.parse(__OPTIONS__)

/** Third-party scripts that need consent to optional cookies. */
export function optionalScripts(of: BuildOptions): readonly string[] {
  return [of.recordingScript, of.analyticsScript].filter(Boolean)
}

/** Whether anything in this build needs consent. The cookie bar appears only then. */
export function needsConsent(of: BuildOptions): boolean {
  return optionalScripts(of).length > 0 || of.starsUrl !== ''
}
