import { useEffect, useMemo, useRef, useState } from 'react'
import type { Brought } from '~/atoms/finder/search'
import type { Kind, Lookup, Thing } from '~/atoms/finder/thing'
import { sentence } from '~/core/session/failure-words'

// Outside React: questions to the server.

/** A question of the finder, with the kind of what it brings. */
export type Question = { readonly lookup: Lookup; readonly kind: Kind }

/** How far a question is. */
export type Asked = {
  readonly question: Question
  readonly state: 'waiting' | 'asking' | 'answered' | 'failed'
  readonly things: readonly Thing[]
  /** What is to be said of the answer, or why there is none. */
  readonly says: string
}

/** Milliseconds after which typing rests. */
const typingRest = 300

/**
 * Asks what is wanted once it has been wanted for a moment, and stops what no longer is. Each question
 * is sent once and fails alone.
 * @param isHeld an input method composes a word: nothing is sent meanwhile
 */
export function useLookups(
  wanted: readonly Question[],
  isHeld: boolean,
): {
  readonly asked: readonly Asked[]
  readonly brought: readonly Brought[]
  /** Asks again what was not answered. */
  readonly askAgain: () => void
} {
  const [asked, setAsked] = useState<ReadonlyMap<string, Asked>>(new Map())
  const [round, setRound] = useState(0)
  const running = useRef(new Map<string, AbortController>())
  const latest = useRef(wanted)
  const ids = JSON.stringify(wanted.map(({ lookup }) => lookup.id))
  useEffect(() => {
    latest.current = wanted
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a further round asks what failed.
  useEffect(() => {
    const now: ReadonlySet<string> = new Set(JSON.parse(ids))
    for (const [id, stop] of running.current) {
      if (now.has(id)) continue
      stop.abort()
      running.current.delete(id)
    }
    setAsked((before) => {
      const left = [...before].filter(([id]) => now.has(id))
      return left.length === before.size ? before : new Map(left)
    })
    if (isHeld) return
    const begin = (question: Question) => {
      const { lookup } = question
      const stop = new AbortController()
      running.current.set(lookup.id, stop)
      const set = (change: Omit<Asked, 'question'>) => {
        if (stop.signal.aborted) return
        setAsked((before) => new Map(before).set(lookup.id, { question, ...change }))
      }
      set({ state: 'asking', things: [], says: '' })
      lookup
        .ask(stop.signal, ({ things }) => set({ state: 'asking', things, says: '' }))
        .then(
          ({ things, says = '' }) => set({ state: 'answered', things, says }),
          (error: unknown) => set({ state: 'failed', things: [], says: sentence(error) }),
        )
    }
    const timer = setTimeout(() => {
      for (const question of latest.current) {
        if (!running.current.has(question.lookup.id)) begin(question)
      }
    }, typingRest)
    return () => clearTimeout(timer)
  }, [ids, isHeld, round])
  useEffect(() => {
    const all = running.current
    return () => {
      for (const stop of all.values()) stop.abort()
      all.clear()
    }
  }, [])
  const brought = useMemo(
    () => [...asked.values()].map(({ question, things }) => ({ kind: question.kind, things })),
    [asked],
  )
  const waiting = { state: 'waiting', things: [], says: '' } as const
  return {
    asked: wanted.map((question) => asked.get(question.lookup.id) ?? { question, ...waiting }),
    brought,
    askAgain: () => {
      for (const [id, { state }] of asked) if (state === 'failed') running.current.delete(id)
      setRound((count) => count + 1)
    },
  }
}
