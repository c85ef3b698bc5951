import { cookiePath } from './constants'
import { tried } from './tried'

/** Cookies that the browser did not take, and until when they live, in milliseconds since 1970. */
const memory = new Map<string, { value: string; until: number }>()

/** The value of a cookie, or null. */
export function readCookie(name: string): string | null {
  const kept = memory.get(name)
  return kept && kept.until > Date.now() ? kept.value : cookieValue(allCookies(), name)
}

/**
 * Sets a cookie that lives `maxAge` seconds, or removes it if that is less than one. Where the
 * browser does not take it, it lasts as long as the page.
 */
export function writeCookie(name: string, value: string, maxAge: number): void {
  memory.delete(name)
  tried(() => {
    // The Cookie Store API exists only in secure contexts.
    // biome-ignore lint/suspicious/noDocumentCookie: see the line above.
    document.cookie = cookieLine(name, value, maxAge)
  }, undefined)
  const isTaken = maxAge <= 0 || cookieValue(allCookies(), name) === value
  if (!isTaken) memory.set(name, { value, until: Date.now() + maxAge * 1000 })
}

/** Names of all cookies that this page can see. */
export function cookieNames(): readonly string[] {
  const seen = allCookies()
    .split('; ')
    .map((part) => part.split('=')[0] ?? '')
  return [...memory.keys(), ...seen]
}

function allCookies(): string {
  return tried(() => document.cookie, '')
}

/** A cookie line that lives `maxAge` seconds; values are never secrets. */
export function cookieLine(name: string, value: string, maxAge: number): string {
  return `${name}=${encodeURIComponent(value)}; Max-Age=${maxAge}; Path=${cookiePath}; SameSite=Lax`
}

/**
 * The value of a cookie in a `document.cookie` string, or null. Pages on other ports of this host
 * share the cookies, so a value may be anything.
 */
export function cookieValue(cookies: string, name: string): string | null {
  const start = `${name}=`
  const found = cookies.split('; ').find((part) => part.startsWith(start))
  return found === undefined ? null : decoded(found.slice(start.length))
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/** The purposes of cookies and third-party scripts. Necessary ones need no consent. */
export const consentCategories = ['necessary', 'optional', 'functional'] as const
export type ConsentCategory = (typeof consentCategories)[number]

/** The accepted categories; null until the user was asked. */
export type Consent = ReadonlySet<ConsentCategory> | null

export const consentCookie = 'webconsole_consent'

export const allConsented: ReadonlySet<ConsentCategory> = new Set(consentCategories)
export const nothingMoreConsented: ReadonlySet<ConsentCategory> = new Set(['necessary'])

/** `unconsented`, or how much the user accepted. */
export function consentState(consent: Consent): 'unconsented' | 'all' | 'partial' | 'declined' {
  if (consent === null) return 'unconsented'
  if (consent.size === consentCategories.length) return 'all'
  return consent.size <= 1 ? 'declined' : 'partial'
}

/** The value of the cookie, such as `necessary.functional`. */
export function consentValue(consent: ReadonlySet<ConsentCategory>): string {
  return consentCategories.filter((category) => consent.has(category)).join('.')
}

/** The categories in a cookie; null when `consentValue` did not write it. */
export function readConsent(value: string | null): Consent {
  const found = new Set(value?.split('.'))
  if (!found.has('necessary')) return null
  return new Set(consentCategories.filter((category) => found.has(category)))
}

/** Every language the specification lists; dates and the cookie texts exist in all of them. */
export const locales = [
  'de',
  'en',
  'es',
  'fr',
  'hr',
  'hu',
  'it',
  'ja',
  'no',
  'pt',
  'ru',
  'uk',
] as const
export type Locale = (typeof locales)[number]

/** The language of the product. */
const defaultLocale = 'en' satisfies Locale

/** Languages the product itself can be shown in. */
export const activeLocales = ['en'] as const satisfies readonly Locale[]

export const localeCookie = 'webconsole_locale'

/** Each language's own name for itself. */
export const localeNames: Readonly<Record<Locale, string>> = {
  de: 'Deutsch',
  en: 'English',
  es: 'Español',
  fr: 'Français',
  hr: 'Hrvatski',
  hu: 'Magyar',
  it: 'Italiano',
  ja: '日本語',
  no: 'Norsk',
  pt: 'Português',
  ru: 'Русский',
  uk: 'Українська',
}

export function isLocale(text: string | null | undefined): text is Locale {
  return locales.some((locale) => locale === text)
}

/**
 * The first supported language among a browser's preferences, such as `de-AT`; otherwise English.
 */
export function preferredLocale(wishes: readonly string[]): Locale {
  for (const wish of wishes) {
    const [language = ''] = wish.toLowerCase().split('-')
    // Browsers name Norwegian by its two written forms.
    const found = language === 'nb' || language === 'nn' ? 'no' : language
    if (isLocale(found)) return found
  }
  return defaultLocale
}
