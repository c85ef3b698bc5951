import { atom } from 'jotai'
import type { Io } from '~/core/act'
import { consentDays, localeDays } from '~/lib/constants'
import {
  type Consent,
  type ConsentCategory,
  consentCookie,
  consentValue,
  cookieLine,
  cookieValue,
  isLocale,
  type Locale,
  localeCookie,
  preferredLocale,
  readConsent,
} from '~/lib/cookies'

const day = 86_400
/** An age at which a cookie is removed at once. */
const gone = -1

/** Counts the answers in this tab, because cookies have no change event. */
const answersAtom = atom(0)

/** The consent to cookies; null before an answer, or after a year. */
export const consentAtom = atom((get): Consent => {
  get(answersAtom)
  return readConsent(cookieValue(document.cookie, consentCookie))
})

/** Whether the cookie bar was opened by hand; any answer closes it, wherever it was given. */
export const isCookieBarOpenAtom = atom(false)

/** Remembers an answer for a year. */
export function giveConsent({ set }: Io, consent: ReadonlySet<ConsentCategory>) {
  write(cookieLine(consentCookie, consentValue(consent), consentDays * day))
  if (!consent.has('functional')) write(cookieLine(localeCookie, '', gone))
  set(answersAtom, (count) => count + 1)
  set(isCookieBarOpenAtom, false)
}

/** Removes every cookie of this page that scripts can see, the answer included. */
export function deleteCookies({ set }: Io) {
  for (const part of document.cookie.split('; ')) {
    const [name = ''] = part.split('=')
    if (name.startsWith('webconsole_')) write(cookieLine(name, '', gone))
  }
  set(answersAtom, (count) => count + 1)
  set(isCookieBarOpenAtom, false)
}

function write(line: string) {
  // The Cookie Store API exists only in secure contexts.
  // biome-ignore lint/suspicious/noDocumentCookie: see the line above.
  document.cookie = line
}

const chosenAtom = atom<Locale | null>(null)

/**
 * The language for texts that exist in all languages: chosen here, remembered, or the browser's
 * first supported preference.
 */
export const localeAtom = atom((get): Locale => {
  const remembered = cookieValue(document.cookie, localeCookie)
  return (
    get(chosenAtom) ?? (isLocale(remembered) ? remembered : preferredLocale(navigator.languages))
  )
})

/** Chooses a language; it is remembered for a year where functional cookies are allowed. */
export function chooseLocale({ get, set }: Io, locale: Locale) {
  set(chosenAtom, locale)
  if (!get(consentAtom)?.has('functional')) return
  const line = cookieLine(localeCookie, locale, localeDays * 86_400)
  // The Cookie Store API exists only in secure contexts.
  // biome-ignore lint/suspicious/noDocumentCookie: see the line above.
  document.cookie = line
}
