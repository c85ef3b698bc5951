/** What cookies and third parties may be for; the necessary ones need no consent. */
export const consentCategories = ['necessary', 'optional', 'functional'] as const
export type ConsentCategory = (typeof consentCategories)[number]

/** The categories agreed to; null while nobody has been asked. */
export type Consent = ReadonlySet<ConsentCategory> | null

export const consentCookie = 'webconsole_consent'

export const allConsented: ReadonlySet<ConsentCategory> = new Set(consentCategories)
export const nothingMoreConsented: ReadonlySet<ConsentCategory> = new Set(['necessary'])

/** `unconsented`, or how much was agreed to. */
export function consentState(consent: Consent): 'unconsented' | 'all' | 'partial' | 'declined' {
  if (consent === null) return 'unconsented'
  if (consent.size === consentCategories.length) return 'all'
  return consent.size <= 1 ? 'declined' : 'partial'
}

/** The value of the cookie, such as `necessary.functional`. */
export function consentValue(consent: ReadonlySet<ConsentCategory>): string {
  return consentCategories.filter((category) => consent.has(category)).join('.')
}

/** What a cookie says; null when it was not written by `consentValue`. */
export function readConsent(value: string | null): Consent {
  const found = new Set(value?.split('.'))
  if (!found.has('necessary')) return null
  return new Set(consentCategories.filter((category) => found.has(category)))
}
