// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { afterEvent, idle, isBusy, type Write, type WriteEvent } from '~/lib/write-state'

const refused = { kind: 'refused', text: 'No.', details: 'd' } as const
const told = { kind: 'unknown', text: 'No answer.', details: 'd', advice: 'Check.' } as const

/** Every state that a write can be in. */
const states = {
  idle,
  confirming: { kind: 'confirming' },
  sending: { kind: 'sending', isSlow: false },
  slow: { kind: 'sending', isSlow: true },
  committed: { kind: 'committed', value: '7' },
  refused,
  unknown: { ...told, finding: null, isChecking: false },
  checking: { ...told, finding: null, isChecking: true },
  checked: { ...told, finding: 'Not so far.', isChecking: false },
  'checking again': { ...told, finding: 'Not so far.', isChecking: true },
} as const satisfies Record<string, Write<string>>
type StateName = keyof typeof states

/** Everything that can happen to one. */
const events = {
  start: { kind: 'start' },
  send: { kind: 'send' },
  wait: { kind: 'wait' },
  commit: { kind: 'end', state: states.committed },
  refuse: { kind: 'end', state: refused },
  lose: { kind: 'end', state: states.unknown },
  check: { kind: 'check' },
  find: { kind: 'find', finding: 'Not so far.' },
  forget: { kind: 'forget' },
} as const satisfies Record<string, WriteEvent<string>>
type EventName = keyof typeof events

const started = { start: 'confirming', forget: 'idle' } as const
const underWay = { commit: 'committed', refuse: 'refused', lose: 'unknown' } as const

/** Where each event leads; what is not here changes nothing. */
const table: Record<StateName, Partial<Record<EventName, StateName>>> = {
  idle: started,
  confirming: { ...underWay, send: 'sending' },
  sending: { ...underWay, wait: 'slow' },
  slow: underWay,
  committed: started,
  refused: started,
  unknown: { ...started, check: 'checking', find: 'checked' },
  checking: { ...started, find: 'checked' },
  checked: { ...started, check: 'checking again' },
  'checking again': { ...started, find: 'checked' },
}

const cases = Object.keys(states).flatMap((state) =>
  Object.keys(events).map((event) => [state as StateName, event as EventName] as const),
)

describe('a write that is', () => {
  test.each(cases)('%s, at %s', (name, event) => {
    const state: Write<string> = states[name]
    const next = afterEvent<string>(state, events[event])
    expect(next).toEqual(states[table[name][event] ?? name])
  })

  test.each(Object.keys(states) as StateName[])('%s: nobody starts it twice', (name) => {
    const isUnderWay = name === 'confirming' || name === 'sending' || name === 'slow'
    expect(isBusy(states[name])).toBe(isUnderWay)
    if (isUnderWay) expect(afterEvent<string>(states[name], { kind: 'start' })).toBe(states[name])
  })
})

test('a write may end as something of its writer’s own', () => {
  const conflict = { kind: 'conflict', with: '9' } as const
  const event = { kind: 'end', state: conflict } as const
  expect(afterEvent<string, typeof conflict>(states.sending, event)).toBe(conflict)
  expect(afterEvent<string, typeof conflict>(idle, event)).toBe(idle)
})

test('what was found of a write keeps what its writer noted with it', () => {
  const state = { ...states.unknown, sent: 'k' }
  const found = afterEvent<string, typeof state>(state, { kind: 'find', finding: 'Stored.' })
  expect(found).toEqual({ ...state, finding: 'Stored.' })
})
