import type { Io } from '~/core/act'
import type { At } from '~/immudb/moment'
import type { PageName, Search } from '~/lib/paths'
import type { TimeZoneChoice } from '~/lib/time-zone'

/** Where a found thing leads. */
type Target =
  /**
   * An address below the mount point, as `pathTo` writes it. What is to be done there first, such as
   * opening a form, no address says.
   */
  | { readonly path: string; readonly first?: (io: Io) => void }
  | { readonly run: (io: Io) => void }
  /** The search goes on with this text. */
  | { readonly text: string }
  /** Parameters of the shown address that go. */
  | { readonly without: string }

/** Something that can be found. Names are as they are stored: they may hold anything. */
export type Thing = {
  readonly name: string
  /** Where one question brings things of several kinds. */
  readonly kind?: Kind
  /** The name is one of outside, and not a text of this console. */
  readonly isForeign?: boolean
  /** Of a key: its bytes in base64, which the name need not show exactly. */
  readonly key?: string
  /** Other names that are as good as the name. */
  readonly also?: readonly string[]
  /** Further words that it is found by, and a long text in lower case. */
  readonly words?: string
  readonly text?: string
  /** It is what the search names, however it is written. */
  readonly isNamed?: boolean
  /** What it is in, such as the table of a column. */
  readonly of?: string
  /** Its database, where that is not the open one. */
  readonly database?: string
  /** Its server, where that is not the shown one. */
  readonly server?: string
  /** What else is to be said, in the console's own words. */
  readonly note?: string
  readonly to: Target
  /** Why it cannot be opened or done. */
  readonly refusal?: string | undefined
}

/** What the finder is asked from. */
export type Here = {
  readonly io: Io
  /** The open database; empty for none. */
  readonly database: string
  readonly zone: TimeZoneChoice
  /** Milliseconds since 1970, by the clock of the server. */
  readonly now: number
  /** The pages that this user is offered. */
  readonly pages: ReadonlySet<PageName>
  /** The parameters of the address. */
  readonly search: string
  /** The address of the shown screen at a moment; of Query where it shows no data. */
  pathAt(at: At): string
}

/** What a question to the server brought. */
type Answer = {
  readonly things: readonly Thing[]
  /** What is to be said of it, such as that there is no such transaction. */
  readonly says?: string
}

/** One question to the server. It is sent as it says, and only once typing rests. */
export type Lookup = {
  /** What no two questions have in common. */
  readonly id: string
  /** Such as `Asks the server for the tables of shop`. */
  readonly asks: string
  /** @throws ApiError and others, as sentences for the user */
  ask(signal: AbortSignal, tell: (answer: Answer) => void): Promise<Answer>
}

/** How far something was looked through. */
export type LookedThrough = {
  readonly found: readonly Thing[]
  /** Things looked at. */
  readonly looked: number
  /** Those that could not be looked at, such as values that no answer holds. */
  readonly unread: number
  /** Where it goes on in the first of the places that are left; null at the end of all. */
  readonly next: string | null
  /** The places that are not at their end, and how many are; none yet: all of the scan. */
  readonly left?: readonly Place[]
  readonly done?: number
  /** Places that refused to be looked through, each with the reason, as sentences. */
  readonly refused?: readonly string[]
}

/** A database of the shown server or of another one, of which it may stand for all. */
export type Place = {
  readonly database: string | null
  /** The id of another server. */
  readonly server?: string
}

/** What can be looked through, only on request. */
export type Scan = {
  readonly kind: 'transactions' | 'keys' | 'documents'
  readonly database: string
  /** What is looked for. */
  readonly text: string
  /** Where it goes on after that database. */
  readonly others?: readonly Place[]
}

/** A kind of thing that can be found. One declaration says all of it. */
export type Kind = {
  /** Stands before each result, such as `Table`. */
  readonly label: string
  /** All of it is offered before anything is typed. */
  readonly isOffered?: boolean
  /** It is looked for in other databases too, where that is asked for. */
  readonly isInDatabases?: boolean
  /** Everything of it that is known here, without a request. */
  known?(here: Here): readonly Thing[]
  /** What a text names by itself, such as a transaction by its number. These come first. */
  read?(here: Here, text: string): readonly Thing[]
  /** What the server is asked once typing rests; null for nothing. */
  lookup?(here: Here, text: string): Lookup | null
  /**
   * What can be looked through on request; null for nothing.
   * @param isFar whether other databases are looked through with it, where no one was asked
   */
  scan?(here: Here, text: string, isFar?: boolean): Scan | null
}

/** An address in a database: that of the open one stays out of what is shown. */
export function inDatabase(database: string, search: Search): Search {
  return database === '' ? search : { db: database, ...search }
}
