import { atom } from 'jotai'
import { newWriteId } from '~/api/write-once'
import { readTab, writeTab } from './tab'

/** The tab that is at something, and when it last said so, in milliseconds since 1970. */
export type Holder = { readonly tab: string; readonly at: number }

const tabPlace = 'webconsole.importtab'

/** A tab that gave no sign for this long is taken for closed; a request ends before. */
const holdTime = 60_000

/** This tab, also after a reload of it. */
export const tabNameAtom = atom((): string => {
  const known = readTab(tabPlace)
  if (typeof known === 'string') return known
  const made = newWriteId()
  writeTab(tabPlace, made)
  return made
})

type Held = { readonly holder: Holder | null }

/** Whether another tab than the named one seems to be at it. */
export function isHeld({ holder }: Held, tab: string, now: number): boolean {
  return holder !== null && holder.tab !== tab && Math.abs(now - holder.at) < holdTime
}
