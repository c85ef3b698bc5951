import { atom } from 'jotai'
import { type Feature, knownAs, lacking, readVersion } from '~/immudb/server-versions'
import { cutText } from '~/lib/visible-text'
import { currentHealthAtom } from './server'
import { modeAtom } from './session'
import { healthAtom } from './session-start'

/** Most that is shown of a version; one with a whole commit has 50 characters. */
const longest = 60

/**
 * What the server reported at the last login: `1.9.5`, and `-` or nothing where it names none. Without
 * logins it is asked again now and then, because nothing else tells that another version answers.
 */
export const reportedVersionAtom = atom((get) => {
  const health = get(modeAtom) === 'login' ? get(healthAtom) : get(currentHealthAtom).data
  // A build without a commit ends with its dash.
  return cutText((health?.version ?? '').replace(/(.)-$/, '$1'), longest)
})

/** The same as numbers; null when it names none. */
export const serverVersionAtom = atom((get) => readVersion(get(reportedVersionAtom)))

/** Gives why the server is too old for something, as a sentence; undefined when it is not. */
export const lackingAtom = atom((get) => {
  const version = get(serverVersionAtom)
  return (feature: Feature): string | undefined => lacking(version, feature)
})

/** How far the console knows this server. */
export const knownAsAtom = atom((get) => knownAs(get(serverVersionAtom)))

/** Whether it was said since the login that the server is older than tested. */
export const isOldSaidAtom = atom(false)
