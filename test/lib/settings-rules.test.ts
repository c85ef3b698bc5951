// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { expiryStage } from '~/app/watch/Expiry'
import { loginPause } from '~/atoms/session/login'
import { tokenExpiry } from '~/immudb/token'
import { needsConsent, optionalScripts } from '~/lib/build'
import { bytesToBase64 } from '~/lib/bytes'
import {
  activeLocales,
  allConsented,
  consentState,
  consentValue,
  localeNames,
  locales,
  nothingMoreConsented,
  preferredLocale,
  readConsent,
} from '~/lib/cookies'
import { formatSpan } from '~/lib/time'
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

describe('the end of a token', () => {
  const tokenOf = (payload: unknown) => {
    const bytes = new TextEncoder().encode(JSON.stringify(payload))
    const signed = new Uint8Array([...bytes, ...new Uint8Array(64).fill(7)])
    const text = bytesToBase64(signed).replaceAll('+', '-').replaceAll('/', '_')
    return `v2.public.${text.replaceAll('=', '')}`
  }

  test('is read from its payload', () => {
    const exp = '2026-11-22T20:04:05+01:00'
    expect(tokenExpiry(tokenOf({ database: '0', exp, sub: 'immudb' }))).toBe(Date.parse(exp))
  })

  test.each([
    'v2.public.',
    'v2.local.abc',
    'v2.public.%%%',
    'v2.public.bm90IGEgdG9rZW4',
    tokenOf(null),
    tokenOf({ exp: 5 }),
    tokenOf({ exp: 'tomorrow' }),
    '',
  ])('is not known of %s', (token) => {
    expect(tokenExpiry(token)).toBeNull()
  })

  test.each([
    [600_001, 'far'],
    [600_000, 'soon'],
    [60_001, 'soon'],
    [60_000, 'now'],
    [1, 'now'],
    [0, 'over'],
    [-86_400_000, 'over'],
  ])('with %s ms left it is %s', (left, stage) => {
    expect(expiryStage(left)).toBe(stage)
  })
})

test('A16 the pause after wrong logins grows after the third, up to 30 s', () => {
  const pauses = Array.from({ length: 12 }, (_, failures) => loginPause(failures) / 1_000)
  expect(pauses).toEqual([0, 0, 0, 1, 2, 4, 8, 16, 30, 30, 30, 30])
})

test.each([
  [86_400_000, '1 day'],
  [2 * 86_400_000, '2 days'],
  [86_399_000, '1 day'],
  [3_600_000, '1 hour'],
  [150_000, '3 minutes'],
  [5_000, '5 seconds'],
  [0, '0 seconds'],
])('%s ms are %s', (ms, text) => {
  expect(formatSpan(ms)).toBe(text)
})

describe('what a build brings', () => {
  const none = {
    dockerTokenUrl: '',
    recordingScript: '',
    analyticsScript: '',
    starsUrl: '',
    feedbackUrl: 'https://desk.example/new',
  }

  test('nothing of others needs no consent, a link neither', () => {
    expect(needsConsent(none)).toBe(false)
    expect(needsConsent({ ...none, dockerTokenUrl: 'https://tokens.example' })).toBe(false)
    expect(optionalScripts(none)).toEqual([])
  })

  test('scripts and stars do', () => {
    expect(needsConsent({ ...none, starsUrl: 'https://x.example/a' })).toBe(true)
    const both = {
      ...none,
      recordingScript: 'https://r.example/r.js',
      analyticsScript: 'https://a.example/a.js',
    }
    expect(needsConsent(both)).toBe(true)
    expect(optionalScripts(both)).toEqual(['https://r.example/r.js', 'https://a.example/a.js'])
  })
})
