/** What this build brings that an ordinary one does not; an empty text is none. */
export type BuildOptions = {
  readonly dockerTokenUrl: string
  readonly recordingScript: string
  readonly analyticsScript: string
  readonly starsUrl: string
  /** Where the link “Feedback” leads. */
  readonly feedbackUrl: string
}

declare const __OPTIONS__: BuildOptions

export const options: BuildOptions = __OPTIONS__

/** Scripts of others that need consent to optional cookies. */
export function optionalScripts(of: BuildOptions): readonly string[] {
  return [of.recordingScript, of.analyticsScript].filter(Boolean)
}

/** Whether anything of this build needs consent, which is when people are asked. */
export function needsConsent(of: BuildOptions): boolean {
  return optionalScripts(of).length > 0 || of.starsUrl !== ''
}
