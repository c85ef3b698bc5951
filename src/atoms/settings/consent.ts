import { atom } from 'jotai'
import type { Io } from '~/core/act'
import { consentDays, localeDays } from '~/lib/constants'
import {
  type Consent,
  type ConsentCategory,
  consentCookie,
  consentValue,
  cookieNames,
  isLocale,
  type Locale,
  localeCookie,
  preferredLocale,
  readConsent,
  readCookie,
  writeCookie,
} from '~/lib/cookies'

const day = 86_400
/** An age at which a cookie is removed at once. */
const gone = -1

/** Counts the answers in this tab, because cookies have no change event. */
const answersAtom = atom(0)

/** The consent to cookies; null before an answer, or after a year. */
export const consentAtom = atom((get): Consent => {
  get(answersAtom)
  return readConsent(readCookie(consentCookie))
})

/** Whether the cookie bar was opened by hand; any answer closes it, wherever it was given. */
export const isCookieBarOpenAtom = atom(false)

/** Remembers an answer for a year. */
export function giveConsent({ set }: Io, consent: ReadonlySet<ConsentCategory>) {
  writeCookie(consentCookie, consentValue(consent), consentDays * day)
  if (!consent.has('functional')) writeCookie(localeCookie, '', gone)
  set(answersAtom, (count) => count + 1)
  set(isCookieBarOpenAtom, false)
}

/** Removes every cookie of this page that scripts can see, the answer included. */
export function deleteCookies({ set }: Io) {
  for (const name of cookieNames()) {
    if (name.startsWith('webconsole_')) writeCookie(name, '', gone)
  }
  set(answersAtom, (count) => count + 1)
  set(isCookieBarOpenAtom, false)
}

const chosenAtom = atom<Locale | null>(null)

/**
 * The language for texts that exist in all languages: chosen here, remembered, or the browser's
 * first supported preference.
 */
export const localeAtom = atom((get): Locale => {
  const remembered = readCookie(localeCookie)
  return (
    get(chosenAtom) ?? (isLocale(remembered) ? remembered : preferredLocale(navigator.languages))
  )
})

/** Chooses a language; it is remembered for a year where functional cookies are allowed. */
export function chooseLocale({ get, set }: Io, locale: Locale) {
  set(chosenAtom, locale)
  if (!get(consentAtom)?.has('functional')) return
  writeCookie(localeCookie, locale, localeDays * day)
}
