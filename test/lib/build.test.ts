// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { needsConsent, optionalScripts } from '~/lib/build'

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
