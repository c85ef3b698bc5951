// @vitest-environment node
import { atom, createStore } from 'jotai'
import { describe, expect, test } from 'vitest'
import { ApiError } from '~/api/errors'
import { unanswered } from '~/core/write'
import type { Refused } from '~/lib/write-state'
import { trustsAtom } from '~/trust/trust'
import { defineWrite, type Sent } from '~/trust/write'
import { randomOf } from '../support/mutations'

// Writes of two slots to a server that loses answers, refuses and answers late, with reloads, checks
// and a mark that outlives the page. The law: nothing is sent that nobody sent, what is said agrees
// with what the server did, and the mark is there as long as a write is without an outcome.

type Note = { database: string; slot: string; text: string }

const refusal: Refused = { kind: 'refused', text: 'No.', details: '' }

/** A server, what this browser keeps, and a page that is loaded again. */
function world() {
  const server = {
    txs: [] as Note[],
    requests: [] as Note[],
    /** How the next request goes, and what holds up its answer. */
    next: 'ok' as 'ok' | 'lost' | 'reset' | 'refuse',
    until: Promise.resolve(),
    isHeldBefore: false,
  }
  const marks = new Map<string, { note: Note; txBefore: string }>()
  function page() {
    const store = createStore()
    // Reading a mark is no part of the store, as after another tab.
    const marksAtom = atom(new Map(marks))
    store.set(trustsAtom, new Map([['db', { kind: 'consistent', why: null } as never]]))
    const receipts: { tx: string; txBefore: string }[] = []
    const lost = unanswered('it', 'the page was left')
    const writer = defineWrite<Note & { seen: string }, string>({
      slot: ({ slot }) => slot,
      confirm: async () => (server.isHeldBefore ? refusal : null),
      send: async (_, { seen: _seen, txBefore: _before, ...note }) => {
        server.requests.push(note)
        const how = server.next
        if (how === 'ok' || how === 'lost') server.txs.push(note)
        const tx = String(server.txs.length)
        await server.until
        if (how === 'lost' || how === 'reset') throw new ApiError({ kind: 'network', text: 'gone' })
        if (how === 'refuse') throw new ApiError({ kind: 'refused', text: 'No.', isOnce: true })
        return tx
      },
      settle: (_, { txBefore }, outcome) => {
        if (outcome.kind === 'committed') receipts.push({ tx: outcome.value, txBefore })
        return outcome
      },
      look: async (_, { slot, text, txBefore }) => {
        await Promise.resolve()
        const at = server.txs.findIndex(
          (one, index) => index >= Number(txBefore) && one.slot === slot && one.text === text,
        )
        return at < 0 ? 'Not so far.' : { kind: 'committed' as const, value: String(at + 1) }
      },
      mark: ({ set }, slot, sent) => {
        if (sent === null) marks.delete(slot)
        else marks.set(slot, { note: sent, txBefore: sent.txBefore })
        set(marksAtom, new Map(marks))
      },
      lost: (get, slot) => {
        const kept = get(marksAtom).get(slot)
        if (!kept) return null
        return { state: lost, sent: { ...kept.note, seen: '0', txBefore: kept.txBefore } }
      },
      done: 'stored',
    })
    return { store, writer, receipts }
  }
  return { server, marks, page }
}

type Page = ReturnType<ReturnType<typeof world>['page']>
const stateOf = ({ store, writer }: Page, slot: string) => store.get(writer.stateAtom)(slot)
const sentOf = ({ store, writer }: Page, slot: string): Sent<Note> | null =>
  store.get(writer.sentAtom)(slot)

const moves = ['write', 'write', 'write', 'check', 'check', 'forget', 'reload', 'leave'] as const

/** Plays random moves by a seed, and returns what broke the law; empty when nothing did. */
async function play(seed: number): Promise<string> {
  const random = randomOf(seed)
  const pick = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)] as T
  const { server, marks, page } = world()
  let now = page()
  let asked = 0
  /** The texts of each slot whose outcome nobody was told. */
  const open = new Map<string, string[]>([
    ['a', []],
    ['b', []],
  ])
  const log: string[] = []
  for (let step = 0; step < 25; step += 1) {
    const slot = pick(['a', 'b'])
    const move = pick(moves)
    const texts = open.get(slot) ?? []
    server.next = pick(['ok', 'lost', 'reset', 'refuse'])
    server.isHeldBefore = random() < 0.25
    server.until = Promise.resolve()
    const before = stateOf(now, slot)
    const seen = String(server.txs.length)
    log.push(`${slot} ${move} ${server.next}${server.isHeldBefore ? ' held' : ''}`)
    const breach = (what: string) => `seed ${seed}: ${what} after ${log.join(', ')}`
    if (move === 'write' || move === 'leave') {
      const text = random() < 0.5 && texts[0] ? texts[0] : `t${step}`
      let answer = () => {}
      if (move === 'leave') server.until = new Promise((resolve) => (answer = resolve))
      const count = server.requests.length
      const ending = now.writer.write(now.store, { database: 'db', slot, text, seen })
      if (!server.isHeldBefore) asked += 1
      // A second one at once is not sent.
      if ((await now.writer.write(now.store, { database: 'db', slot, text, seen })) !== null)
        return breach('two at once')
      if (move === 'leave') {
        for (let at = 0; at < 20; at += 1) await Promise.resolve()
        const isSent = server.requests.length > count
        if (isSent) texts.push(text)
        const late = now
        now = page()
        if (isSent && stateOf(now, slot).kind !== 'unknown') return breach('a left page forgot')
        // What the left page still learns, this one does not.
        const kept = new Map(marks)
        answer()
        await ending
        void late
        marks.clear()
        for (const [of, mark] of kept) marks.set(of, mark)
        continue
      }
      await ending
      const state = stateOf(now, slot)
      const wasOpen = before.kind === 'unknown'
      if (server.isHeldBefore) {
        if (state.kind !== (wasOpen ? 'unknown' : 'refused')) return breach('held, and told else')
      } else if (server.next === 'ok') {
        if (state.kind !== 'committed') return breach('committed, and told else')
        texts.length = 0
      } else if (server.next === 'refuse') {
        if (state.kind !== (wasOpen ? 'unknown' : 'refused')) return breach('refused, told else')
      } else {
        texts.push(text)
        if (state.kind !== 'unknown') return breach('lost, and told else')
      }
    } else if (move === 'check') {
      await now.writer.check(now.store, slot)
      const state = stateOf(now, slot)
      if (before.kind !== 'unknown' && state !== before)
        return breach('a check changed what is known')
      if (before.kind === 'unknown') {
        const sent = sentOf(now, slot)
        const at = server.txs.findIndex((one) => one.slot === slot && one.text === sent?.text)
        if ((state.kind === 'committed') !== at >= 0) return breach('a check was wrong')
        if (state.kind === 'committed') texts.length = 0
      }
    } else if (move === 'forget') {
      now.writer.forget(now.store, slot)
      if (stateOf(now, slot).kind !== 'idle') return breach('not forgotten')
      texts.length = 0
    } else now = page()
    const isOpen = texts.length > 0
    const state = stateOf(now, slot)
    if (isOpen !== (state.kind === 'unknown')) return breach(`${state.kind} with ${texts}`)
    if (isOpen !== marks.has(slot)) return breach(`mark ${marks.has(slot)} with ${texts}`)
    if (isOpen && !texts.includes(sentOf(now, slot)?.text ?? '')) return breach('about another one')
    if (server.requests.length !== asked) return breach('sent by itself')
    if (now.receipts.some(({ tx, txBefore }) => BigInt(tx) <= BigInt(txBefore)))
      return breach('a receipt for what was there before')
  }
  return ''
}

describe('a kind of write', () => {
  test('says what the server did, whatever happens to it', async () => {
    for (let seed = 1; seed <= 400; seed += 1) expect(await play(seed)).toBe('')
  })
})
