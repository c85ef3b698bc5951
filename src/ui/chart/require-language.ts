import { locale } from '~/lib/locale'

/**
 * Gives the browser a language if its own is none, such as “c” of a WebKit that runs without one.
 * Libraries pass it on as it is, and then throw as soon as they are loaded.
 */
export function requireLanguage(): void {
  try {
    Intl.getCanonicalLocales(navigator.language)
  } catch {
    Object.defineProperty(navigator, 'language', { value: locale, configurable: true })
  }
}
