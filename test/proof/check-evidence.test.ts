// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { openEvidence } from '~/proof/check-evidence'
import { jsonFault } from '~/proof/evidence'
import { recordedEvidence } from '../support/evidence'

const whole = () =>
  recordedEvidence('03-kv', ({ verify, expect }) => verify === 'get' && expect.verdict === 'ok')

async function checked(text: string) {
  const found = await openEvidence(text)
  if ('error' in found) throw new Error(found.error)
  return found
}

describe('a JSON text', () => {
  test.each([
    ['{"a": 1, "b": {"a": [{"a": 1}, {"a": 2}]}}'],
    ['{"a": "{\\"a\\": 1, \\"a\\": 2}", "b": "a", "c": ["a", "a"]}'],
    ['{"a\\\\": 1, "a": 2}'],
    ['"a"'],
    ['{"unclosed": "'],
    [`${'['.repeat(500)}${']'.repeat(500)}`],
  ])('that this console may have written has no fault: %s', (text) => {
    expect(jsonFault(text)).toBeNull()
  })

  test.each([
    ['{"a": 1, "a": 2}', '“a” twice'],
    ['{"a": 1, "\\u0061" : 2}', '“a” twice'],
    ['[{"b": {"__proto__": 1, "__proto__": 2}}]', '“__proto__” twice'],
    [`{"${'x'.repeat(90)}": 1, "${'x'.repeat(90)}": 1}`, `“${'x'.repeat(40)}…” twice`],
    ['['.repeat(501), 'deeper than 500'],
    ['{"a":'.repeat(5_000_000), 'deeper than 500'],
  ])('that has one is told: %.30s', (text, words) => {
    expect(jsonFault(text)).toContain(words)
  })

  test('of millions of empty lists is refused in the time that a page has', async () => {
    const file = await whole()
    const lists = `[${'[],'.repeat(20_000_000)}[]]`
    const harmful = file.replace('"outcome": {', `"surplus": ${lists},\n"outcome": {`)
    expect(harmful.length).toBeGreaterThan(lists.length)
    const began = performance.now()
    expect(await openEvidence(harmful)).toEqual({
      error: 'This file was not written by this console. It has too many values.',
    })
    expect(performance.now() - began).toBeLessThan(10_000)
  })

  test('of as many as are read takes seconds, wherever they are', async () => {
    const lists = () => `[${'[],'.repeat(1_450_000)}[]]`
    const file = await whole()
    const began = performance.now()
    const text = file.replace('"facts": {', `"facts": { "surplus": ${lists()},`)
    expect(text.length).toBeGreaterThan(4_350_000)
    expect((await checked(text)).rechecked.agrees).toBe(false)
    expect(performance.now() - began).toBeLessThan(20_000)
  }, 60_000)

  test('is read in one pass, whatever its strings are made of', () => {
    const slashes = JSON.stringify(['\\'.repeat(2_000_000), '"'.repeat(2_000_000)])
    const shares: number[] = []
    expect(jsonFault(slashes.repeat(2), (share) => shares.push(share))).toBeNull()
    expect(shares.every((share) => share > 0 && share < 1)).toBe(true)
  })
})

describe('a file that was made to harm anyone who opens it', () => {
  test('hands nothing to the page that is not shown', async () => {
    const file = JSON.parse(await whole())
    const junk = 'x'.repeat(10_000_000)
    file.surplus = junk
    file.context.surplus = junk
    file.context.schema = junk
    file.server.surplus = [junk]
    file.console.surplus = { junk }
    file.outcome.surplus = junk
    file.outcome.facts.surplus = junk
    file.firstContact = { ...file.firstContact, junk }
    const found = await checked(JSON.stringify(file))
    expect(JSON.stringify(found).length).toBeLessThan(20_000)
    // What was proven is not what it says of itself any more.
    expect(found.rechecked.agrees).toBe(false)
  })

  test('cannot put anything in the place of what objects inherit', async () => {
    const file = (await whole()).replace(
      '"what":',
      '"__proto__": {"what": "inherited", "polluted": 1}, "constructor": 7, "what":',
    )
    const found = await checked(file)
    expect(found.evidence.what).not.toBe('inherited')
    expect(found.rechecked.agrees).toBe(true)
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
    const alone = '{"__proto__": {"format": "immudb webconsole evidence", "version": 1}}'
    expect(await openEvidence(alone)).toHaveProperty('error')
  })

  test.each([
    [
      'nested deeply',
      (text: string) => text.replace('"request":', `"x": ${nested(400_000)}, "request":`),
    ],
    [
      'with two answers',
      (text: string) => text.replace('"request":', '"response": null, "request":'),
    ],
  ])('%s is refused with a sentence', async (_what, change) => {
    expect(await openEvidence(change(await whole()))).toEqual({
      error: expect.stringMatching(/^This file was not written by this console\. It /),
    })
  })

  test('shows no more of a long name than a page can draw', async () => {
    const file = JSON.parse(await whole())
    file.what = 'n'.repeat(90_000)
    file.server.origin = 'o'.repeat(90_000)
    file.version = 1
    const { evidence } = await checked(JSON.stringify(file))
    expect([evidence.what.length, evidence.server.origin.length]).toEqual([1_001, 1_001])
    file.version = { toString: 'not a function' }
    expect(await openEvidence(JSON.stringify(file))).toEqual({
      error: expect.stringContaining('version unknown'),
    })
  })
})

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

describe('what a file holds', () => {
  test('is told step by step while it is looked through', async () => {
    const told: string[] = []
    await openEvidence(await whole(), new Set(), ({ step }) => told.push(step))
    expect(told.at(-1)).toBe('checking')
  })

  test('is shown while it is short', async () => {
    const { isTooLong, rechecked } = await checked(await whole())
    expect(isTooLong).toBe(false)
    expect(rechecked.outcome).toMatchObject({ kind: 'ok', verified: { facts: { kind: 'value' } } })
  })
})
