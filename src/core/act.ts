import { type Atom, atom, type Getter, type Setter, useSetAtom } from 'jotai'
import { useCallback } from 'react'

/**
 * The store, as actions see it. An action is a plain function whose first parameter is this; it may
 * call other actions. Atoms hold values; those that only set a value are the exception.
 */
export type Io = { get: Getter; set: Setter }

/** Runs in one write of the store, so that what is set before the first wait is shown at once. */
const runAtom = atom(null, (get, set, act: (io: Io) => unknown) => act({ get, set }))

/**
 * An atom that does something while it is mounted: `begin` starts that, and what it returns ends it.
 * What `begin` sets before its first wait is one write of the store.
 */
export function mountedAtom<V>(
  read: (get: Getter) => V,
  begin: (io: Io) => (() => void) | undefined,
): Atom<V> {
  const mounted = atom(read, (get, set) => begin({ get, set }))
  mounted.onMount = (run) => run()
  return mounted
}

/** The store for what is no action, such as a query; null before there is a cache of answers. */
export const ioAtom = atom<Io | null>(null)

/** An action for a component: without the store, and the same function as long as `act` is. */
export function useAct<A extends unknown[], R>(act: (io: Io, ...args: A) => R): (...args: A) => R {
  const run = useSetAtom(runAtom)
  // The atom answers with what the action returned.
  return useCallback((...args: A) => run((io) => act(io, ...args)) as R, [run, act])
}
