import { atom } from 'jotai'
import type { Io } from '~/core/act'
import { bannerCloseHours, bannerSubmitDays } from '~/lib/constants'
import { cookieLine } from '~/lib/cookies'
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
  // The Cookie Store API exists only in secure contexts.
  // biome-ignore lint/suspicious/noDocumentCookie: see the line above.
  document.cookie = cookieLine(bannerCookie, why, hours * hour)
}
