// @vitest-environment node
import { atom, createStore } from 'jotai'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError, type ErrorKind } from '~/api/errors'
import { chooseReadOnly } from '~/core/settings'
import { checkWrite, placeIn } from '~/core/write'
import { slowWriteDelay } from '~/lib/constants'
import { idle, type Write } from '~/lib/write-state'
import { trustsAtom } from '~/trust/trust'
import { runWrite, type WritePlan } from '~/trust/write'

type State = Write<string>

/** A writer in a store of its own, with every state that it went through. */
function writer() {
  const store = createStore()
  const stateAtom = atom<State>(idle)
  const kinds: string[] = []
  const place = placeIn<State>(store, stateAtom)
  const watched = {
    read: place.read,
    tell: (state: State) => {
      kinds.push(state.kind)
      place.tell(state)
    },
  }
  // Nothing is known of its history, and nothing wrong with it.
  store.set(trustsAtom, new Map([['db', { kind: 'consistent', why: null } as never]]))
  const run = (plan: Partial<WritePlan<string>>) =>
    runWrite<string>(store, watched, { database: 'db', send: async () => '7', ...plan })
  const setReadOnly = () => chooseReadOnly(store, 'db', true)
  return { kinds, setReadOnly, run, place, watched, state: place.read }
}

const failing =
  (kind: ErrorKind, text: string, isOnce = false) =>
  async () => {
    throw new ApiError({ kind, text, isOnce })
  }

describe('a write', () => {
  test('is confirmed, sent and committed', async () => {
    const { run, kinds } = writer()
    expect(await run({})).toEqual({ kind: 'committed', value: '7' })
    expect(kinds).toEqual(['confirming', 'sending', 'committed'])
  })

  test('to what a database that is set to read-only holds is not sent', async () => {
    const send = vi.fn(async () => '7')
    const { run, setReadOnly } = writer()
    await setReadOnly()
    expect(await run({ send })).toMatchObject({
      kind: 'refused',
      text: 'db is set to read-only in this browser (Settings, Safety).',
    })
    expect(send).not.toHaveBeenCalled()
    expect(await run({ send, of: 'databases' })).toMatchObject({ kind: 'committed' })
  })

  test('that would be refused is not sent', async () => {
    const send = vi.fn(async () => '7')
    const refused = { kind: 'refused', text: 'It would be.', details: '' } as const
    const { run, kinds } = writer()
    expect(await run({ send, confirm: async () => refused })).toBe(refused)
    expect(kinds).toEqual(['confirming', 'refused'])
    expect(send).not.toHaveBeenCalled()
  })

  test.each([
    [true, 'unknown', 'It was not sent again: It would be.'],
    [false, 'refused', undefined],
  ])('that is not sent again: the same one is %s, so it is %s', async (isSame, kind, finding) => {
    const { run, state } = writer()
    await run({ send: failing('network', 'no connection') })
    const refused = { kind: 'refused', text: 'It would be.', details: '' } as const
    await run({ isSameAgain: isSame, confirm: async () => refused })
    expect(state().kind).toBe(kind)
    expect(Object(state()).finding).toBe(finding)
  })

  test('is not started while one is under way', async () => {
    const { run, kinds } = writer()
    const sent = vi.fn(async () => '7')
    const first = run({ send: sent })
    expect(await run({ send: sent })).toBeNull()
    await first
    expect(sent).toHaveBeenCalledTimes(1)
    expect(kinds).toEqual(['confirming', 'sending', 'committed'])
  })

  test.each([
    ['refused', 'refused', 'user already exists', [], false],
    ['refused', 'permission', 'permission denied', ['exists'], false],
    ['unknown', 'network', 'no connection', [], false],
    ['unknown', 'timeout', 'no answer in time', [], true],
    ['unknown', 'bad-answer', 'the answer is empty', [], false],
    // What may be the answer to a second delivery says nothing of the first.
    ['unknown', 'refused', 'user already exists', ['exists'], false],
    ['refused', 'refused', 'user already exists', ['exists'], true],
    ['unknown', 'conflict', 'tx read conflict', [], false],
    ['refused', 'conflict', 'tx read conflict', [], true],
  ] as const)('is %s after %s “%s”', async (ended, kind, text, secondReasons, isOnce) => {
    const { run, kinds } = writer()
    const state = await run({ send: failing(kind, text, isOnce), secondReasons })
    expect(state).toMatchObject({ kind: ended })
    expect(kinds).toEqual(['confirming', 'sending', ended])
  })

  test('says what the server’s words mean', async () => {
    const { run } = writer()
    const state = await run({ send: failing('permission', 'old password is incorrect', true) })
    expect(state).toMatchObject({ kind: 'refused', reason: 'wrong-old-password', isOnce: true })
  })

  test('ends as its writer makes of it', async () => {
    const { run, state } = writer()
    await run({ settle: () => idle })
    expect(state()).toBe(idle)
  })

  test('is started again after what was to say its outcome has failed', async () => {
    const { run } = writer()
    const lost = run({ settle: () => Promise.reject(new Error('the part is not there')) })
    await expect(lost).rejects.toThrow('the part is not there')
    expect(await run({})).toMatchObject({ kind: 'committed' })
  })
})

describe('a write that the server does not finish', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('is said to be slow, and ends all the same', async () => {
    const { run, state } = writer()
    let answer = (_: string) => {}
    const ended = run({ send: () => new Promise((resolve) => (answer = resolve)) })
    await vi.advanceTimersByTimeAsync(slowWriteDelay - 1)
    expect(state()).toEqual({ kind: 'sending', isSlow: false })
    await vi.advanceTimersByTimeAsync(1)
    expect(state()).toEqual({ kind: 'sending', isSlow: true })
    answer('7')
    expect(await ended).toEqual({ kind: 'committed', value: '7' })
  })
})

describe('a look at a write without an answer', () => {
  const lost = async () => {
    const one = writer()
    await one.run({ send: failing('network', 'no connection') })
    return one
  }

  test('says what it found, and may be done again', async () => {
    const { watched, state } = await lost()
    await checkWrite<string>(watched, async () => 'Not so far.')
    expect(state()).toMatchObject({ kind: 'unknown', finding: 'Not so far.', isChecking: false })
    await checkWrite<string>(watched, async () => ({ kind: 'committed', value: '7' }))
    expect(state()).toEqual({ kind: 'committed', value: '7' })
  })

  test('that fails says so, and that nothing more is known', async () => {
    const { watched, state } = await lost()
    await checkWrite<string>(watched, failing('network', 'no connection'))
    expect(state()).toMatchObject({
      finding:
        'The check itself failed. The immudb server cannot be reached. Nothing more is known.',
    })
  })

  test('says nothing of a write that was started meanwhile', async () => {
    const { watched, state, run } = await lost()
    const checked = checkWrite<string>(watched, async () => {
      await run({})
      return 'Not so far.'
    })
    expect(await checked).toBeNull()
    expect(state()).toMatchObject({ kind: 'committed' })
  })
})
