// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { goReport, trusted, vitestCounts } from './counts'

describe('vitestCounts', () => {
  const passed = { fullName: 'is', status: 'passed' }
  const skipped = { fullName: 'waits', status: 'pending', failureMessages: [] }
  const failed = { fullName: 'is not', status: 'failed', failureMessages: ['Error: no\n  at x'] }
  const file = (status: string, assertionResults: readonly object[]) => ({
    name: `/a/${status}.ts`,
    status,
    message: 'cannot load',
    assertionResults,
  })

  test('adds skipped tests and unloadable files to the failures, and names them', () => {
    const report = {
      testResults: [
        file('passed', [passed]),
        file('failed', [passed, skipped, failed]),
        file('failed', []),
      ],
    }
    expect(vitestCounts(JSON.stringify(report))).toEqual({
      passed: 2,
      failed: 3,
      failures: [
        'failed.ts: waits: no reason given',
        'failed.ts: is not: Error: no',
        'failed.ts: cannot load',
      ],
    })
  })

  test('of one tag counts no other test, and a skipped one of it as failed', () => {
    const tags = ['walk']
    const tests = [{ ...passed, tags }, { ...skipped, tags }, passed, skipped, failed]
    const report = JSON.stringify({ testResults: [file('failed', tests), file('failed', [])] })
    expect(vitestCounts(report, 'walk')).toEqual({
      passed: 1,
      failed: 2,
      failures: ['failed.ts: waits: no reason given', 'failed.ts: cannot load'],
    })
  })
})

describe('goReport', () => {
  const event = (parts: object) => JSON.stringify({ Package: 'p', ...parts })

  test('counts leaves, shows the output of failures only', () => {
    const report = goReport([
      event({ Action: 'output', Test: 'TestA/x', Output: 'quiet\n' }),
      event({ Action: 'pass', Test: 'TestA/x' }),
      event({ Action: 'output', Test: 'TestA/y', Output: 'loud\n' }),
      event({ Action: 'fail', Test: 'TestA/y' }),
      event({ Action: 'fail', Test: 'TestA' }),
      event({ Action: 'pass', Test: 'TestAB' }),
      event({ Action: 'fail', Elapsed: 1.5 }),
    ])
    expect(report).toMatchObject({ passed: 2, failed: 1, failures: ['p TestA/y'] })
    expect(report.text).toBe('loud\nfail  p  1.5 s')
  })

  test('a package that does not compile is one failure', () => {
    const lines = ['# p', 'x.go:1: broken', event({ Action: 'fail', Elapsed: 0 })]
    expect(goReport(lines)).toMatchObject({ passed: 0, failed: 1 })
    expect(goReport(lines).text).toContain('x.go:1: broken')
  })

  test('a skipped test is a failure, a package without tests is not', () => {
    const lines = [event({ Action: 'skip' }), event({ Action: 'skip', Test: 'TestA' })]
    expect(goReport(lines)).toMatchObject({ passed: 0, failed: 1 })
  })
})

describe('trusted', () => {
  test.each([
    ['no report', undefined, 0, { passed: 0, failed: 1 }],
    ['no tests', { passed: 0, failed: 0 }, 0, { passed: 0, failed: 1 }],
    ['a crash after green tests', { passed: 3, failed: 0 }, 1, { passed: 3, failed: 1 }],
    ['failures', { passed: 3, failed: 2 }, 1, { passed: 3, failed: 2 }],
    ['all green', { passed: 3, failed: 0 }, 0, { passed: 3, failed: 0 }],
  ])('%s', (_name, counts, code, expected) => {
    expect(trusted(counts, code)).toEqual(expected)
  })
})
