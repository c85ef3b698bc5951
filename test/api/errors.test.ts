// @vitest-environment node

import { describe, expect, test } from 'vitest'
import { readAnswer } from '~/api/answer'
import { ApiError, type ErrorKind, sentence, technicalDetails } from '~/api/errors'
import { limits } from '~/immudb/limits'
import { isJsonError, type Recorded, recorded, recordedPairs } from '../support/recorded'

/** The failure that a recorded answer becomes. */
function failureOf({ response }: Recorded): ApiError {
  const said = JSON.stringify(response.body ?? '')
  try {
    readAnswer({
      status: response.status,
      contentType: response.headers['content-type'] ?? '',
      text: response.body === undefined ? (response.text ?? '') : JSON.stringify(response.body),
      elapsed: 12,
      // Large requests were not recorded whole.
      sent: /max \((\d+) vs\. 33554432\)/.test(said) ? 'x'.repeat(34_700_000) : '',
      isOnce: false,
    })
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error('the answer is good')
}

const failed = recordedPairs.filter(
  ({ request, response }) => request.path.startsWith('/api') && response.status >= 300,
)

/** Recorded server texts that mean something other than a plain refusal. */
const meanings: readonly [RegExp, ErrorKind][] = [
  [/^not logged in$/, 'session'],
  [/^invalid token$/, 'session'],
  [/^token has expired/, 'session'],
  [/^[Pp]lease login$/, 'session'],
  [/^could not get loggedin user data$/, 'session'],
  [/^session not found$/, 'session'],
  [/^please select (a )?database first$/, 'no-database'],
  [/^invalid user name or password$/, 'credentials'],
  [/^user is not active$/, 'credentials'],
  [/larger than max \(\d+ vs\. 4194304\)/, 'too-large'],
  [/larger than max/, 'request-too-large'],
  [/^permission denied$/, 'permission'],
  [/^access denied/, 'permission'],
  [/have permission/, 'permission'],
  [/^old password is incorrect$/, 'permission'],
  [/read-only/, 'permission'],
  [/^conflict due to uniqueness/, 'conflict'],
]

describe('every recorded error', () => {
  test('there are enough of them to mean something', () => {
    expect(failed.length).toBeGreaterThan(150)
  })

  test.each(failed.map((pair) => [`${pair.group}: ${pair.name}`, pair] as const))(
    '%s',
    (_name, pair) => {
      const error = failureOf(pair)
      const words = isJsonError(pair) ? (pair.response.body as { error: string }).error : null
      const bare = words?.replace(/^rpc error: code = \w+ desc = /, '') ?? null
      const meaning = meanings.find(([pattern]) => bare !== null && pattern.test(bare))
      expect(error.kind).toBe(meaning?.[1] ?? 'refused')
      expect(error.status).toBe(pair.response.status)
      expect(error.elapsed).toBe(12)
      if (bare !== null) expect(error.message).toBe(bare)
      // The database said no: nothing was stored, whatever the call was.
      if (error.kind !== 'too-large') expect(error.isOutcomeUnknown).toBe(false)
      const said = sentence(error)
      expect(said).toMatch(/^[^a-z\s].*[.!?…]$/s)
      expect(said).not.toContain('rpc error')
      expect(technicalDetails(error)).toContain(`HTTP ${pair.response.status}`)
    },
  )
})

describe('losing the session', () => {
  const endings = [
    ['token-life', 'token after last logout'],
    ['token-life', 'old token after a new login'],
    ['token-life', 'expired token'],
    ['token-life', 'expired: user list'],
    ['token-life', 'expired: db list'],
    ['token-life', 'expired: use'],
    ['token-life', 'expired: create database'],
    ['token-life', 'expired: logout'],
    ['token-life', 'session after restart'],
    ['auth', 'use without token'],
    ['sessions', 'after close'],
  ] as const
  test.each(endings)('%s: %s ends it', (group, name) => {
    expect(failureOf(recorded(group, name)).kind).toBe('session')
  })

  const keeps = [
    ['users', 'use without permission'],
    ['users', 'sysadmin password wrong old'],
    ['users', 'change permission without right'],
    ['sessions', 'open without permission'],
    ['auth', 'login wrong password'],
    ['databases', 'several databases: login token needs use'],
  ] as const
  test.each(keeps)('%s: %s does not', (group, name) => {
    expect(failureOf(recorded(group, name)).kind).not.toBe('session')
  })

  test('a 401 that is not of immudb, which always gives a code, does not', () => {
    const error = failure({ status: 401, contentType: 'text/html', text: '<h1>Unauthorized</h1>' })
    expect(error.kind).toBe('proxy')
  })
})

type Answer = { status: number; contentType?: string; text: string; sent?: string }

function failure({ contentType = 'application/json', sent = '', ...rest }: Answer): ApiError {
  const answer = { ...rest, contentType, sent, elapsed: 1, isOnce: false }
  try {
    readAnswer(answer)
  } catch (error) {
    if (error instanceof ApiError) return error
    throw error
  }
  throw new Error('the answer is good')
}

const error = (status: number, code: unknown, text: unknown) =>
  failure({ status, text: JSON.stringify({ error: text, code, message: text }) })

describe('answers that were not recorded', () => {
  const cases: readonly (readonly [string, ApiError, ErrorKind, boolean])[] = [
    ['code 14 is nobody’s answer', error(503, 14, 'EOF'), 'unavailable', true],
    ['code 14 under any status', error(500, 14, 'EOF'), 'unavailable', true],
    ['a gateway’s page', page(502), 'unavailable', true],
    ['a gateway that gave up', page(504), 'unavailable', true],
    ['JSON without a code', failure({ status: 500, text: '{"error":"x"}' }), 'unavailable', true],
    ['a code that is text', error(500, '2', 'key not found'), 'unavailable', true],
    ['half a JSON error', failure({ status: 500, text: '{"error":"no' }), 'unavailable', true],
    ['an array', failure({ status: 500, text: '[]' }), 'unavailable', true],
    ['null', failure({ status: 500, text: 'null' }), 'unavailable', true],
    ['a conflict', error(500, 2, 'tx read conflict'), 'conflict', false],
    ['406', error(406, 2, 'gone'), 'docker-token', false],
    ['410 without JSON', page(410), 'docker-token', false],
    ['a proxy’s JSON with the status as its code', error(500, 500, 'x'), 'unavailable', true],
    ['a code that gRPC has not', error(500, 17, 'x'), 'unavailable', true],
    ['a code of no error', error(500, 0, 'x'), 'unavailable', true],
    ['502 with a code of the database', error(502, 13, 'x'), 'unavailable', true],
    ['503 with a code of the database', error(503, 2, 'key already exists'), 'unavailable', true],
    ['504 with a code of the database', error(504, 9, 'x'), 'unavailable', true],
    ['a rate limit of a proxy', page(429), 'busy', false],
    ...[
      'tbtree: max active snapshots limit reached',
      'max concurrency limit exceeded',
      'max active transactions limit exceeded',
      'read tx pool exhausted',
      'transaction pool exhausted',
      'can not create session: max sessions number reached',
    ].map((text) => [text, error(500, 2, text), 'busy', false] as const),
    [
      'a column named like a limit',
      error(500, 2, 'column (max concurrency limit exceeded)'),
      'refused',
      false,
    ],
    ['a 403 of a proxy', page(403), 'proxy', true],
    ['a 401 of a proxy', page(401), 'proxy', true],
    ['a 401 of a proxy in JSON', error(401, 'unauthorized', 'session expired'), 'proxy', true],
    ['a 401 of a proxy with the status as its code', error(401, 401, 'x'), 'proxy', true],
    ['a forward proxy', page(407), 'proxy', true],
    ['a network with a log-in page', page(511), 'proxy', true],
    ['a 403 of immudb', error(403, 7, 'permission denied'), 'permission', false],
    ['a 401 of immudb', error(401, 16, 'Please login'), 'session', false],
    [
      'an index that is behind says nothing about a write',
      error(500, 2, 'watchers: max waiting limit exceeded'),
      'index-behind',
      true,
    ],
    ['too many requests is not too large', error(429, 2, 'x'), 'refused', false],
    ['a user named like an ending', error(500, 2, 'user not logged in'), 'refused', false],
    ['a column named like an ending', error(500, 2, 'column (please login)'), 'refused', false],
  ]
  test.each(cases)('%s', (_name, found, kind, isUnknown) => {
    expect(found.kind).toBe(kind)
    expect(found.isOutcomeUnknown).toBe(isUnknown)
  })

  test('text that is no text is no text', () => {
    expect(error(500, 2, { nested: true }).message).toBe('')
    expect(sentence(error(500, 2, { nested: true }))).toBe('Something went wrong.')
  })

  function page(status: number) {
    return failure({ status, contentType: 'text/html', text: '<title>proxy</title>' })
  }
})

describe('“larger than max”', () => {
  const tooLarge = (numbers: string, sent: number) => {
    const text = JSON.stringify({
      error: `grpc: received message larger than max${numbers}`,
      code: 8,
    })
    return failure({ status: 429, text, sent: 'x'.repeat(sent) })
  }

  test.each([
    ['an answer over 4 MiB', ' (5242894 vs. 4194304)', 40],
    ['an answer over 4 MiB to a request as large', ' (5242894 vs. 4194304)', 6_000_000],
    ['an answer over another limit', ' (40000000 vs. 33554432)', 40],
    ['no numbers', '', 40],
  ] as const)('%s: the work was done', (_what, numbers, sent) => {
    const found = tooLarge(numbers, sent)
    expect(found.kind).toBe('too-large')
    expect(found.isOutcomeUnknown).toBe(true)
  })

  test.each([
    ['over 32 MiB', ' (34603024 vs. 33554432)', 46_000_000],
    ['over a smaller limit of the server', ' (2097167 vs. 1048576)', 2_800_000],
  ] as const)('a request %s: nothing was done', (_what, numbers, sent) => {
    const found = tooLarge(numbers, sent)
    expect(found.kind).toBe('request-too-large')
    expect(found.isOutcomeUnknown).toBe(false)
  })
})

describe('good answers that are none', () => {
  const cases: readonly [string, Answer, ErrorKind][] = [
    ['a page', { status: 200, contentType: 'text/html; charset=utf-8', text: '<html>' }, 'proxy'],
    [
      'a page in XML',
      { status: 203, contentType: 'application/xhtml+xml', text: '<html/>' },
      'proxy',
    ],
    ['plain words', { status: 200, contentType: 'text/plain', text: 'ok' }, 'not-immudb'],
    ['no type at all', { status: 200, contentType: '', text: '{}' }, 'not-immudb'],
    ['nothing', { status: 200, contentType: '', text: '' }, 'bad-answer'],
    ['an empty page', { status: 200, contentType: 'text/html', text: ' \n' }, 'bad-answer'],
    ['204', { status: 204, contentType: '', text: '' }, 'bad-answer'],
    ['empty JSON', { status: 200, text: '' }, 'bad-answer'],
    ['half of JSON', { status: 200, text: '{"rows":[{"val' }, 'bad-answer'],
    ['two documents', { status: 200, text: '{}{}' }, 'bad-answer'],
    ['a list', { status: 200, text: '[]' }, 'bad-answer'],
    ['a list of objects', { status: 200, text: '[{}]' }, 'bad-answer'],
    ['null', { status: 200, text: 'null' }, 'bad-answer'],
    ['a text', { status: 200, text: '"ok"' }, 'bad-answer'],
    ['a number', { status: 200, text: '0' }, 'bad-answer'],
    ['an error', { status: 200, text: '{"error":"no","code":2,"message":"no"}' }, 'bad-answer'],
  ]
  test.each(cases)('%s', (_name, answer, kind) => {
    const found = failure(answer)
    expect(found.kind).toBe(kind)
    expect(found.isOutcomeUnknown).toBe(true)
  })

  test('a byte order mark before good JSON does not matter', () => {
    const answer = { status: 200, contentType: 'application/json', text: '\uFEFF{"a":1}' }
    expect(readAnswer({ ...answer, elapsed: 1, sent: '', isOnce: false })).toEqual({ a: 1 })
  })
})

describe('sentences', () => {
  const plain = (kind: ErrorKind, text = '', status: number | null = null) =>
    sentence(new ApiError({ kind, text, status }))

  test.each([
    ['network', 'The immudb server cannot be reached.'],
    ['timeout', 'The immudb server did not answer in time.'],
    ['not-immudb', 'Something other than immudb answered at this address.'],
    ['proxy', 'A proxy in front of the server wants you to log in at it again.'],
    ['bad-answer', 'The answer of the server could not be understood.'],
    ['docker-token', 'The docker token expired.'],
  ] as const)('%s', (kind, said) => {
    expect(plain(kind, 'inner words')).toBe(said)
  })

  test.each([400, 401, 403, 404, 405, 422, 500, 502, 503])(
    '%i shows the server’s text',
    (status) => {
      expect(plain('refused', 'it went  wrong', status)).toBe('It went  wrong.')
    },
  )

  test('hold no unseen character, so that no place of a screen can forget to mark it', () => {
    const words = 'refused \u202Efdp.\u2066\u200B\r\n\u034F\uFE0Fadmin'
    for (const status of [400, 418, 500, 502]) {
      const said = plain('refused', words, status)
      expect(said).toContain('⟨U+202E⟩')
      expect(said).not.toMatch(/[\p{Cc}\p{Cf}\p{DI}]/u)
    }
  })

  test('504 names the two that cannot talk, other statuses quote the server', () => {
    expect(plain('unavailable', 'whatever', 504)).toBe(
      'webconsole is unable to communicate with the immudb server.',
    )
    expect(plain('refused', 'whatever', 418)).toBe(
      'Something went wrong. The server said: “whatever”',
    )
  })

  test('an error without status counts as 500', () => {
    expect(plain('refused', 'no status')).toBe('No status.')
  })

  test('a failure that is not from the wire tells nothing of itself', () => {
    expect(sentence(new TypeError('x is not a function'))).toBe('Something went wrong.')
    expect(sentence('text')).toBe('Something went wrong.')
    expect(sentence(undefined)).toBe('Something went wrong.')
    expect(technicalDetails(new TypeError('secret'))).toBe('TypeError')
    expect(technicalDetails(null)).toBe('unknown error')
  })

  test('a gateway’s page is not quoted', () => {
    const said = sentence(failure({ status: 502, contentType: 'text/html', text: '<b>x</b>' }))
    expect(said).toBe('webconsole is unable to communicate with the immudb server.')
    const refused = failure({ status: 413, contentType: 'text/html', text: '<b>x</b>' })
    expect(sentence(refused)).toBe('Something went wrong.')
  })

  test.each([
    [413, 3, 'the request is larger than the 48 MiB that this call may have; nothing was executed'],
    [400, 3, 'nothing more of the request arrived for 30 seconds; nothing was executed'],
    [421, 3, 'this server does not answer to the host name of the request'],
  ])('%d of our own guard is shown, and its outcome is known', (status, code, text) => {
    const body = JSON.stringify({ error: text, code, message: text })
    const refused = failure({ status, contentType: 'application/json', text: body })
    expect(sentence(refused)).toBe(`${text[0]?.toUpperCase()}${text.slice(1)}.`)
    expect(refused.isOutcomeUnknown).toBe(false)
  })

  test('a very long text is cut and says so', () => {
    const found = new ApiError({ kind: 'refused', text: 'x'.repeat(100_000), status: 500 })
    expect(found.message.length).toBeLessThan(2_100)
    expect(found.message).toContain('(100000 characters)')
  })

  test('a request that was too large is not told to ask for fewer rows', () => {
    const answer = failureOf(recorded('sql-limits', 'answer over 4 MiB'))
    const request = failureOf(recorded('sql-limits', 'request over 32 MiB'))
    expect(sentence(answer)).toContain('larger than 4 MiB')
    expect(answer.isOutcomeUnknown).toBe(true)
    expect(sentence(request)).toContain('32 MiB')
    expect(sentence(request)).not.toContain('fewer rows')
    expect(request.isOutcomeUnknown).toBe(false)
  })
})

test('markup in an error text stays text and technical details hold none of it', () => {
  const found = error(500, 2, '<img src=x onerror=window.__pwn=1>')
  expect(sentence(found)).toBe('<img src=x onerror=window.__pwn=1>.')
  expect(technicalDetails(found)).toBe('kind refused · HTTP 500 · gRPC code 2 · after 1 ms')
})

test('a row that is not as it was is told from other refusals', () => {
  expect(failureOf(recorded('sql-errors', 'a row that is not as it was')).reason).toBe(
    'row-changed',
  )
  expect(failureOf(recorded('sql-errors', 'division by zero')).reason).toBeNull()
  expect(error(500, 2, 'tx read conflict: fetching a different key').reason).toBe('write-conflict')
})

test('the server’s detail code is kept', () => {
  expect(failureOf(recorded('auth', 'login wrong password')).detail).toBe('08004')
  expect(failureOf(recorded('databases', 'use unknown')).detail).toBe('3F000')
  expect(failureOf(recorded('sql-errors', 'unknown table')).detail).toBeNull()
})

describe('a limit that was met on a real server leads to Limits', () => {
  const names: readonly string[] = limits.map(({ name }) => name)
  test.each([
    ['tbtree: max active snapshots limit reached', 'Snapshots'],
    ['max concurrency limit exceeded', 'Parallel commits'],
    ['max active transactions limit exceeded', 'Open transactions'],
    ['read tx pool exhausted', 'Read pool'],
    ['can not create new session: max sessions number reached', 'Sessions'],
    ['max number of entries per tx exceeded', 'Entries per transaction'],
    ['max key length exceeded', 'Longest key'],
    ['max value length exceeded', 'Longest value'],
    ['MVCC read-set limit exceeded', 'Read set'],
    ['watchers: max waiting limit exceeded', 'Waiting calls'],
    ['open d2/d0/index_02/commit: too many open files: could not open indexer', 'Open files'],
    ["error walking dir d2/d1 to read it's size: open d2/d1: too many open files", 'Open files'],
  ])('the text “%s”', (text, name) => {
    expect(sentence(error(500, 2, text))).toMatch(new RegExp(` See “${name}” in Limits\\.$`))
    expect(names).toContain(name)
  })

  test('names of columns and tables that read like one are none', () => {
    for (const text of [
      'column does not exist (a: too many open files)',
      'table does not exist (max key length exceeded)',
    ]) {
      expect(sentence(error(500, 2, text))).not.toContain('Limits')
    }
  })

  test('a write may be done although files were missing', () => {
    const found = error(500, 2, 'open d/x/tx: too many open files')
    expect(found.isOutcomeUnknown).toBe(true)
    expect(error(500, 2, 'max key length exceeded').isOutcomeUnknown).toBe(false)
  })
})

test('a limit of the server is told with its cause and what to do', () => {
  const said = (text: string) => sentence(error(500, 2, text))
  expect(said('tbtree: max active snapshots limit reached')).toMatch(/restart immudb/)
  expect(said('max concurrency limit exceeded')).toMatch(/not done.*maxConcurrency/)
  expect(said('can not create session: max sessions number reached')).toMatch(/--max-sessions/)
  expect(sentence(failure({ status: 429, contentType: 'text/html', text: 'slow down' }))).toMatch(
    /^Something in front of the server limits how often/,
  )
})
