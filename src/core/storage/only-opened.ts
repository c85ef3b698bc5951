import { atom } from 'jotai'
import * as v from 'valibot'
import type { Io } from '~/core/act'
import { databaseAtom } from '../session/session'
import { placesOf } from './places'

/** By what there is one of, such as `tables`. */
const opened = placesOf('only', v.record(v.string(), v.literal(true)))

/** Gives whether the only one of a kind was opened in the open database without being asked for. */
export const wasOnlyOpenedAtom = atom((get) => {
  const known = get(opened.readAtom)(get(databaseAtom) ?? '')
  return (kind: string): boolean => known?.[kind] ?? false
})

export function noteOnlyOpened({ get, set }: Io, kind: string): void {
  const database = get(databaseAtom) ?? ''
  set(opened.keepAtom, { ...get(opened.readAtom)(database), [kind]: true }, database)
}
