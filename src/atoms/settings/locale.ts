import { atom } from 'jotai'
import { localeDays } from '~/lib/constants'
import { cookieLine, cookieValue } from '~/lib/cookies'
import { isLocale, type Locale, localeCookie, preferredLocale } from '~/lib/locale'
import { consentAtom } from './consent'

const chosenAtom = atom<Locale | null>(null)

/**
 * The language for texts that exist in all of them: chosen here, remembered, or the browser's
 * first wish that is among them.
 */
export const localeAtom = atom((get): Locale => {
  const remembered = cookieValue(document.cookie, localeCookie)
  return (
    get(chosenAtom) ?? (isLocale(remembered) ? remembered : preferredLocale(navigator.languages))
  )
})

/** Chooses a language; it is remembered for a year where functional cookies are allowed. */
export const setLocaleAtom = atom(null, (get, set, locale: Locale) => {
  set(chosenAtom, locale)
  if (!get(consentAtom)?.has('functional')) return
  const line = cookieLine(localeCookie, locale, localeDays * 86_400)
  // The Cookie Store API exists only in secure contexts.
  // biome-ignore lint/suspicious/noDocumentCookie: see the line above.
  document.cookie = line
})
