import { createContext, use } from 'react'

type Reading = {
  /** What is looked for, to be marked; empty when nothing is. */
  readonly words: readonly string[]
  /** The address of a section with everything shown. */
  readonly pathTo: (id: string) => string
  /** The parameter that links to other pages carry, so that they show the open database. */
  readonly database: Readonly<Record<string, string>>
}

/** What every text of the guide needs to know of the screen it stands on. */
export const ReadingContext = createContext<Reading>({
  words: [],
  pathTo: (id) => `#${id}`,
  database: {},
})

export function useReading(): Reading {
  return use(ReadingContext)
}
