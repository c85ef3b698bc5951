/** Extras of a build; everything is off unless named. */
export type BuildOptions = {
  /** Where a service answers `GET /token` with a docker token; empty for none. */
  readonly dockerTokenUrl: string
  /** Script that records sessions, loaded after consent to optional cookies; empty for none. */
  readonly recordingScript: string
  /** Script that counts visits, loaded after consent to optional cookies; empty for none. */
  readonly analyticsScript: string
  /** Where stars are counted, asked after consent to functional cookies; empty for nowhere. */
  readonly starsUrl: string
  /** Where the link “Feedback” leads; it is followed only when pressed. */
  readonly feedbackUrl: string
}

export const noOptions: BuildOptions = {
  dockerTokenUrl: '',
  recordingScript: '',
  analyticsScript: '',
  starsUrl: '',
  feedbackUrl: 'https://github.com/codenotary/immudb-webconsole/issues/new',
}

const variables = {
  dockerTokenUrl: 'WEBCONSOLE_DOCKER_TOKEN_URL',
  recordingScript: 'WEBCONSOLE_RECORDING_SCRIPT',
  analyticsScript: 'WEBCONSOLE_ANALYTICS_SCRIPT',
  starsUrl: 'WEBCONSOLE_STARS_REPOSITORY',
  feedbackUrl: 'WEBCONSOLE_FEEDBACK_URL',
} as const satisfies Record<keyof BuildOptions, string>

/** The code-hosting API that knows `owner/name`. */
const starsApi = 'https://api.github.com/repos/'

const addresses = ['dockerTokenUrl', 'recordingScript', 'analyticsScript', 'feedbackUrl'] as const

/** Reads the options from the environment; throws when one is invalid. */
export function readBuildOptions(env: Readonly<Record<string, string | undefined>>): BuildOptions {
  const read = (name: keyof BuildOptions) => env[variables[name]]?.trim() ?? ''
  const options = {
    dockerTokenUrl: withoutSlash(read('dockerTokenUrl')),
    recordingScript: read('recordingScript'),
    analyticsScript: read('analyticsScript'),
    starsUrl: starsUrl(read('starsUrl')),
    feedbackUrl: read('feedbackUrl') || noOptions.feedbackUrl,
  }
  for (const name of addresses) {
    if (options[name] !== '' && !isPlainAddress(options[name])) {
      throw new Error(`${variables[name]} must be a plain http(s) address: ${options[name]}`)
    }
  }
  return options
}

function starsUrl(repository: string): string {
  if (repository === '') return ''
  if (/^[\w.-]+\/[\w.-]+$/.test(repository)) return starsApi + repository
  throw new Error(`${variables.starsUrl} must be owner/name: ${repository}`)
}

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, '')
}

/** It becomes part of the page's policy, where a space or semicolon would begin another part. */
function isPlainAddress(address: string): boolean {
  return /^https?:\/\/[A-Za-z0-9.[\]:-]+(\/[A-Za-z0-9._~/?=&%-]*)?$/.test(address)
}

/** Origins that the page may take scripts from, and those that it may ask. */
export function foreignOrigins(options: BuildOptions): { scripts: string[]; calls: string[] } {
  const originsOf = (...addresses: string[]) => [
    ...new Set(addresses.filter(Boolean).map((address) => new URL(address).origin)),
  ]
  const scripts = originsOf(options.recordingScript, options.analyticsScript)
  return { scripts, calls: [...originsOf(options.dockerTokenUrl, options.starsUrl), ...scripts] }
}
