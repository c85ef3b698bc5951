import { afterEach, expect, test } from 'vitest'
import { locale } from '~/lib/locale'
import { requireLanguage } from '~/ui/chart/require-language'

const pretend = (language: unknown) =>
  Object.defineProperty(navigator, 'language', { value: language, configurable: true })

afterEach(() => void Reflect.deleteProperty(navigator, 'language'))

test.each(['c', '', 'de_DE.UTF-8', 'C.UTF-8'])(
  'the language “%s”, which is none, becomes ours',
  (language) => {
    pretend(language)
    requireLanguage()
    expect(navigator.language).toBe(locale)
    expect(new Intl.NumberFormat(navigator.language).format(1_000)).toBe('1,000')
  },
)

test.each(['de', 'pt-BR', 'zh-Hant-TW', undefined])('the language “%s” stays', (language) => {
  pretend(language)
  requireLanguage()
  expect(navigator.language).toBe(language)
})
