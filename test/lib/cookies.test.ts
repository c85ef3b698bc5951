// @vitest-environment node
import { describe, expect, test } from 'vitest'
import {
  activeLocales,
  allConsented,
  consentState,
  consentValue,
  cookieLine,
  cookieValue,
  localeNames,
  locales,
  nothingMoreConsented,
  preferredLocale,
  readConsent,
} from '~/lib/cookies'
import { type CookieTexts, cookieTexts } from '~/words/cookies'

describe('consent', () => {
  test.each([
    ['all', 'necessary.optional.functional'],
    ['partial', 'necessary.functional'],
    ['partial', 'necessary.optional'],
    ['declined', 'necessary'],
  ])('%s is written and read as %s', (state, value) => {
    const consent = readConsent(value)
    expect(consentState(consent)).toBe(state)
    expect(consent && consentValue(consent)).toBe(value)
  })

  test.each([null, '', 'optional', 'yes', '%', '{"necessary":1}', '__proto__'])(
    'a cookie that says %s is no answer',
    (value) => {
      expect(readConsent(value)).toBeNull()
      expect(consentState(readConsent(value))).toBe('unconsented')
    },
  )

  test('what is unknown in a cookie is left out', () => {
    expect(readConsent('necessary.tracking.functional')).toEqual(
      new Set(['necessary', 'functional']),
    )
  })

  test('accepting and declining all', () => {
    expect(consentState(allConsented)).toBe('all')
    expect(consentState(nothingMoreConsented)).toBe('declined')
  })
})

describe('the texts of the cookie bar', () => {
  test('are there in twelve languages, each text in each', () => {
    expect(Object.keys(cookieTexts).sort()).toEqual([...locales].sort())
    const names = Object.keys(cookieTexts.en)
    for (const texts of Object.values(cookieTexts)) {
      expect(Object.keys(texts)).toEqual(names)
      expect(Object.values(texts).every((text) => text.trim().length > 0)).toBe(true)
    }
  })

  test('have the specified English words', () => {
    expect(cookieTexts.en).toMatchObject({
      cookies: 'Cookies',
      acceptAll: 'Accept all',
      deleteAll: 'Delete all',
      manage: 'Manage cookies',
      save: 'Save',
      close: 'Close',
      necessary: 'Necessary cookies',
      optional: 'Optional cookies',
      functional: 'Functional cookies',
    })
    expect(cookieTexts.en.enableFunctional).toMatch(/enable functional cookies/)
  })

  test('are translated, not copied', () => {
    const same = (one: CookieTexts, other: CookieTexts) =>
      Object.entries(one).filter(
        ([name, text]) => new Map(Object.entries(other)).get(name) === text,
      )
    for (const locale of locales.filter((name) => name !== 'en')) {
      const copied = same(cookieTexts[locale], cookieTexts.en).map(([name]) => name)
      expect([locale, copied.filter((name) => name !== 'cookies')]).toEqual([locale, []])
    }
  })
})

describe('locales', () => {
  test('English is the only one that the console itself can be shown in', () => {
    expect(activeLocales).toEqual(['en'])
  })

  test.each([
    [['de-AT', 'en'], 'de'],
    [['sw', 'pt-BR'], 'pt'],
    [['nb-NO'], 'no'],
    [['nn'], 'no'],
    [['zh'], 'en'],
    [[], 'en'],
  ])('a browser that wants %s gets %s', (wishes, locale) => {
    expect(preferredLocale(wishes)).toBe(locale)
  })

  test('each is named in itself', () => {
    expect(Object.keys(localeNames).sort()).toEqual([...locales].sort())
  })
})

describe('cookies', () => {
  test('name path, age and site', () => {
    expect(cookieLine('webconsole_banner', 'a b', 3_600)).toBe(
      'webconsole_banner=a%20b; Max-Age=3600; Path=/; SameSite=Lax',
    )
  })

  test.each([
    ['', null],
    ['other=1', null],
    ['xname=1', null],
    ['name', null],
    ['namex', null],
    ['name=', ''],
    ['a=1; name=b%20c; name=2', 'b c'],
    ['a=1; name=x=y', 'x=y'],
    ['name=%E0%A4%A', '%E0%A4%A'],
  ])('in %j the value is %j', (cookies, value) => {
    expect(cookieValue(cookies, 'name')).toBe(value)
  })
})
