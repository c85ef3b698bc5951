import { atom } from 'jotai'
import type { Io } from '~/core/act'
import { bannerCloseHours, bannerSubmitDays } from '~/lib/constants'
import { writeCookie } from '~/lib/cookies'
import { storedAtom } from '../storage/stored'

/** While this cookie exists the banner stays away. */
export const bannerCookie = 'webconsole_banner'

/** The server's warning at login, kept until the user dismisses it or the next login has none. */
export const bannerAtom = atom((get) => get(storedAtom).view.banner)

const hour = 3_600

/**
 * Hides the banner for an hour when closed, for seven days when acted on. The warning itself stays:
 * only the cookie keeps it away.
 */
export function putBannerAside(_io: Io, why: 'closed' | 'submitted') {
  const hours = why === 'closed' ? bannerCloseHours : bannerSubmitDays * 24
  writeCookie(bannerCookie, why, hours * hour)
}
