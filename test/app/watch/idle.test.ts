import { fireEvent } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { watchIdle } from '~/app/watch/idle'
import { steadyNow } from '~/lib/time'

const [minute, hour, day, year] = [60_000, 3_600_000, 86_400_000, 365 * 86_400_000]
const half = 30 * minute

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

/** A server whose clock goes on during a sleep and is not this computer's. */
function madeServer() {
  const start = steadyNow() - 7 * hour
  const now = () => steadyNow() - start
  // Only an answer tells; the last one is of before whatever happened.
  return { slept: 0, set: 0, isAway: false, now, asked: 0, answer: () => {} }
}

function watched(limit = minute, server = madeServer()) {
  const ahead = () => server.now() + server.slept + server.set - steadyNow()
  let known = ahead()
  server.answer = () => {
    known = ahead()
  }
  const used = vi.fn()
  const idle = vi.fn()
  const tell = {
    used,
    idle,
    ahead: () => known as number | null,
    askAhead: async () => {
      server.asked += 1
      return server.isAway ? null : ahead()
    },
  }
  return { used, idle, server, tell, ...watchIdle(limit, tell) }
}

/** The clock of this computer jumps while the steady one stands still. */
const jump = (ms: number) => vi.setSystemTime(Date.now() + ms)
const look = async (ms = 5_000) => {
  await vi.advanceTimersByTimeAsync(ms)
}

describe('use of the page', () => {
  test('A17 none for the whole limit is told, once, and without a question', async () => {
    const { idle, server } = watched()
    await look(59_999)
    expect(idle).not.toHaveBeenCalled()
    await look(600_000)
    expect(idle).toHaveBeenCalledTimes(1)
    expect(vi.getTimerCount()).toBe(0)
    expect(server.asked).toBe(0)
  })

  test.each(['pointerdown', 'keydown', 'wheel', 'touchstart'])('%s begins it again', (kind) => {
    const { idle, used, stop } = watched()
    vi.advanceTimersByTime(50_000)
    window.dispatchEvent(new Event(kind))
    expect(used).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(50_000)
    expect(idle).not.toHaveBeenCalled()
    vi.advanceTimersByTime(15_000)
    expect(idle).toHaveBeenCalledTimes(1)
    stop()
  })

  test('use in another tab counts, unless the limit has passed already', async () => {
    const { idle, usedElsewhere, server, stop } = watched()
    await look(50_000)
    usedElsewhere()
    await look(55_000)
    expect(idle).not.toHaveBeenCalled()
    jump(hour)
    server.slept = hour
    usedElsewhere()
    await look()
    expect(idle).toHaveBeenCalledTimes(1)
    stop()
  })

  test('nothing is left behind', () => {
    const { stop, used } = watched()
    stop()
    window.dispatchEvent(new Event('keydown'))
    expect(used).not.toHaveBeenCalled()
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a sleep that the steady clock did not count', () => {
  const wake = (server: { slept: number }, ms: number) => {
    server.slept += ms
    jump(ms)
  }

  test.each([
    ['F47 the first key finds it locked and does not wake it up', () => fireEvent.keyDown(window)],
    [
      'F47 the page is locked as soon as it is seen',
      () => fireEvent(document, new Event('visibilitychange')),
    ],
  ])('%s', async (_what, see) => {
    const { idle, used, server } = watched()
    wake(server, 8 * hour)
    see()
    // Nothing is seen or pressed while the server is asked.
    expect(document.documentElement.style.visibility).toBe('hidden')
    expect(document.documentElement.inert).toBe(true)
    see()
    await look(0)
    expect(idle).toHaveBeenCalledTimes(1)
    expect(used).not.toHaveBeenCalled()
    expect(server.asked).toBe(1)
    expect(document.documentElement.style.visibility).toBe('')
    expect(document.documentElement.inert).toBe(false)
  })

  const acts = [
    ...['keydown', 'keypress', 'pointerdown', 'mousedown', 'click', 'auxclick', 'dblclick'],
    ...['contextmenu', 'beforeinput', 'paste', 'cut', 'drop'],
  ]

  /** A focused field, and what reaches it. */
  function field() {
    const box = document.body.appendChild(document.createElement('input'))
    const heard = vi.fn()
    for (const kind of acts) box.addEventListener(kind, heard)
    box.focus()
    const send = (kind: string) => {
      const event = new Event(kind, { bubbles: true, cancelable: true })
      box.dispatchEvent(event)
      return event.defaultPrevented
    }
    return { box, heard, send }
  }

  test.each(acts)('F47 the first %s does nothing, nor what follows it', async (kind) => {
    const { idle, server } = watched()
    const { box, heard, send } = field()
    expect(send(kind)).toBe(false)
    expect(heard).toHaveBeenCalledTimes(1)
    wake(server, 8 * hour)
    expect(send(kind)).toBe(true)
    expect(document.activeElement).not.toBe(box)
    for (const next of acts) expect(send(next)).toBe(true)
    expect(heard).toHaveBeenCalledTimes(1)
    await look(0)
    expect(idle).toHaveBeenCalledTimes(1)
    expect(document.activeElement).not.toBe(box)
    box.remove()
  })

  test('F47 nor does a key that comes before the look at the steady clock', () => {
    const { idle } = watched(minute - 1)
    const { box, heard, send } = field()
    vi.advanceTimersByTime(minute - 1)
    expect(idle).not.toHaveBeenCalled()
    expect(send('keydown')).toBe(true)
    expect(idle).toHaveBeenCalledTimes(1)
    expect(heard).not.toHaveBeenCalled()
    box.remove()
  })

  test('keys act again once the page is back without a lock', async () => {
    const { stop } = watched(half)
    const { box, heard, send } = field()
    jump(2 * day)
    expect(send('keydown')).toBe(true)
    await look(0)
    expect(document.activeElement).toBe(box)
    expect(send('keydown')).toBe(false)
    expect(heard).toHaveBeenCalledTimes(1)
    box.remove()
    stop()
  })

  test.each([false, true])(
    'locks when the clock of a server in a virtual machine catches up; used since: %s',
    async (isUsed) => {
      const { idle, used, server, stop } = watched(half)
      jump(8 * hour)
      await look()
      expect(idle).not.toHaveBeenCalled()
      if (isUsed) fireEvent.keyDown(window)
      expect(used).toHaveBeenCalledTimes(isUsed ? 1 : 0)
      server.slept = 8 * hour
      server.answer()
      await look()
      expect(idle).toHaveBeenCalledTimes(1)
      expect(server.asked).toBe(1)
      stop()
    },
  )

  test('is no longer in doubt after the limit with use', async () => {
    const { idle, server, stop } = watched(half)
    jump(8 * hour)
    for (let spent = 0; spent <= half; spent += 5 * minute) {
      await look(5 * minute)
      fireEvent.keyDown(window)
    }
    server.slept = 8 * hour
    server.answer()
    await look()
    expect(idle).not.toHaveBeenCalled()
    stop()
  })

  test('in part counts with what the steady clock counts after it', async () => {
    const { idle, server, stop } = watched(half)
    server.slept = 15 * minute
    jump(2 * day)
    await look(14 * minute)
    expect(idle).not.toHaveBeenCalled()
    await look(minute + 5_000)
    expect(idle).toHaveBeenCalledTimes(1)
    stop()
  })

  test('counts after a clock that was set back', async () => {
    const { idle, server, stop } = watched(half)
    jump(-10 * hour)
    await look()
    wake(server, 8 * hour)
    await look()
    expect(idle).toHaveBeenCalledTimes(1)
    stop()
  })

  test('counts together with the time before and after it', async () => {
    const { idle, server } = watched(half)
    await look(10 * minute)
    wake(server, 15 * minute)
    await look(4 * minute)
    expect(idle).not.toHaveBeenCalled()
    await look(minute + 5_000)
    expect(idle).toHaveBeenCalledTimes(1)
  })

  test.each([
    ['without an answer', { isAway: true }],
    ['though the clock was set in it, too', { set: 0, late: 2 * day }],
  ])(
    'locks %s',
    async (_what, { isAway = false, late = 0 }: { isAway?: boolean; late?: number }) => {
      const { idle, server } = watched(half)
      Object.assign(server, { isAway })
      wake(server, hour)
      jump(late)
      await look()
      expect(idle).toHaveBeenCalledTimes(1)
    },
  )

  test('locks at once where the server never named a time', async () => {
    const one = { used: vi.fn(), idle: vi.fn(), ahead: () => null, askAhead: vi.fn() }
    watchIdle(half, one)
    jump(hour)
    await look()
    expect(one.idle).toHaveBeenCalledTimes(1)
    expect(one.askAhead).not.toHaveBeenCalled()
  })
})

describe('C21 a clock that was set', () => {
  const jumps = [hour, 2 * day, 10 * year, -hour, -10 * year]

  test.each(jumps)('here by %s ms locks nothing, and the limit stands', async (ms) => {
    const { idle, used, stop } = watched(half)
    await look(20 * minute)
    jump(ms)
    await look(9 * minute)
    expect(idle).not.toHaveBeenCalled()
    window.dispatchEvent(new Event('keydown'))
    expect(used).toHaveBeenCalledTimes(1)
    await look(29 * minute)
    expect(idle).not.toHaveBeenCalled()
    await look(minute + 5_000)
    expect(idle).toHaveBeenCalledTimes(1)
    stop()
  })

  test('there and back, again and again, takes one question for each jump forward', async () => {
    const { idle, server, stop } = watched(half)
    for (const ms of [10 * year, -10 * year, 2 * day, -2 * day, hour, -hour]) {
      jump(ms)
      await look()
    }
    expect(idle).not.toHaveBeenCalled()
    expect(server.asked).toBeLessThanOrEqual(3)
    stop()
  })

  test.each(jumps)('on the server by %s ms is no sleep', async (ms) => {
    const { idle, server, stop } = watched(half)
    server.set = ms
    await look(29 * minute)
    expect(idle).not.toHaveBeenCalled()
    expect(server.asked).toBe(0)
    stop()
  })

  test('leaves what is typed and where', async () => {
    const field = document.body.appendChild(document.createElement('input'))
    field.focus()
    const { stop } = watched(half)
    jump(2 * day)
    await look()
    expect(document.activeElement).toBe(field)
    field.remove()
    stop()
  })
})
