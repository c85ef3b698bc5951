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
export const defaultLocale = 'en' satisfies Locale

/** Languages the product itself can be shown in. */
export const activeLocales = ['en'] as const satisfies readonly Locale[]

export const localeCookie = 'webconsole_locale'

/** Names of the languages in themselves, for those who look for theirs. */
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

/** The first listed language of a browser's wishes such as `de-AT`; English when none is. */
export function preferredLocale(wishes: readonly string[]): Locale {
  for (const wish of wishes) {
    const [language = ''] = wish.toLowerCase().split('-')
    // Browsers name the two written forms of Norwegian.
    const found = language === 'nb' || language === 'nn' ? 'no' : language
    if (isLocale(found)) return found
  }
  return defaultLocale
}
