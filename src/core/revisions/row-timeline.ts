import { rounds } from '~/lib/rounds'

/** One revision of a row: the transaction that wrote it, or deleted the row. */
export type Change = { readonly tx: bigint; readonly isDeletion: boolean }

/**
 * A stretch of transactions in which a row may have changed. Between two stretches it did not.
 *
 * `isWritten`: the last change in it wrote the row. One that begins and ends without the row, and is
 * not written, may hold a short life of the row; nothing but a look at each transaction can tell.
 */
export type Stretch = {
  readonly from: bigint
  readonly to: bigint
  /** Whether the row is there before and after it. */
  readonly before: boolean
  readonly after: boolean
  readonly isWritten: boolean
}

/** What was found of a row as of transaction `last`, oldest stretch first. */
export type KnownChanges = {
  readonly count: number
  readonly last: bigint
  readonly stretches: readonly Stretch[]
}

type Beginning = {
  readonly count: number
  readonly last: bigint
  /** Whether the row exists as of `last`. */
  readonly isThere: boolean
  readonly known?: KnownChanges | null
}

/** Returns the numbers of the periods in which the newest revision of a row is not a deletion. */
export type AskRow = (periods: ReadonlyMap<bigint, string>) => Promise<ReadonlySet<bigint>>

/**
 * Looks at each transaction of a range; returns the changes of the row in it, oldest first, or null
 * when they cannot be read.
 */
export type ReadRow = (from: bigint, to: bigint) => Promise<readonly Change[] | null>

/** Transactions in one request when they are looked at one by one. */
export const readAtOnce = 2_500
/** Requests for transactions where questions do not find a revision. */
const mostPages = 20
/** Transactions that are looked at before what was found is taken up. */
const mostRead = 25_000n

/** Periods in one statement. An old one takes the server longer than a new one. */
const atOnce = 64
/** Transactions that are looked at one by one, to find out that a row was not there in between. */
const mostSingle = 1_024n
/** Rounds of questions after which a revision is given up. */
const mostQuestions = 2_000
/** A row with more revisions than this has so many that the search begins near where one should be. */
const many = 64
/** Revisions that are looked for beyond the wanted one, and by how much each part is wider. */
const [atEnd, wider] = [8n, 8n]
/** Stretches that are kept; beyond that the middle ones become one again. */
const mostKept = 1_500

/**
 * The changes of one row, as far as they were looked for. Each round of questions splits the
 * stretches that matter, so that neighbours are found together.
 */
export class Timeline {
  /** Revisions of the row, deletions included, as of transaction `last`. */
  readonly count: number
  readonly last: bigint
  #stretches: readonly Stretch[]
  #seen: Overview | null = null
  #isReadable = true
  /** Transactions to look at next at least: each time twice as many, for whoever scrolls on. */
  #ahead = 0n
  #turn: Promise<unknown> = Promise.resolve()

  constructor({ count, last, isThere, known }: Beginning) {
    this.count = count
    this.last = last
    const before = known?.stretches.at(-1)?.after ?? false
    const rest = { from: (known?.last ?? 0n) + 1n, to: last, before, after: isThere }
    const stretches = known?.stretches ?? []
    const isChanged = count > (known?.count ?? 0)
    this.#stretches = isChanged ? [...stretches, { ...rest, isWritten: isThere }] : stretches
  }

  /** Everything found so far, to be remembered. */
  get known(): KnownChanges {
    const { count, last } = this
    // When each revision has its stretch, the dark ones hold nothing.
    const all = this.#isCounted ? this.#stretches.filter(holdsOne) : this.#stretches
    if (all.length <= mostKept) return { count, last, stretches: all }
    const [old, middle] = [all.slice(0, mostKept / 4), all.slice(mostKept / 4, -mostKept / 2)]
    return { count, last, stretches: [...old, joined(middle), ...all.slice(-mostKept / 2)] }
  }

  /** The revisions to pass until one is found by questions; 0 when it is known. */
  distance(revision: number): number {
    if (this.at(revision) !== undefined) return 0
    return this.#isCounted ? 1 : (this.#wayTo(revision)?.steps ?? 1)
  }

  /** The requests that finding a revision takes, roughly. */
  requestsTo(revision: number): number {
    const way = this.#isCounted ? null : this.#wayTo(revision)
    if (!way || this.at(revision) !== undefined) return 1
    return this.isRead(revision) ? pagesOf(way) : Math.ceil(way.steps / revisionsAtOnce)
  }

  /** Whether looking at each transaction finds a revision with fewer requests than questions do. */
  isRead(revision: number): boolean {
    const way = this.#isCounted ? null : this.#wayTo(revision)
    return this.#isReadable && way !== null && this.count > many && isReadSooner(way)
  }

  /** The change of a revision, counted from 1; undefined while it is not known. */
  at(revision: number): Change | undefined {
    const place = this.#isCounted ? revision - 1 : this.#placeFromEnds(revision)
    const stretch = place === null ? undefined : this.#overview.holding[place]
    return stretch && isExact(stretch) ? changeOf(stretch) : undefined
  }

  /**
   * Finds the change of a revision; null when it cannot be told apart from others.
   * @param read looks at each transaction instead, where that takes fewer requests
   * @throws ApiError when the server cannot be asked; NoProgress where its answers lead nowhere
   */
  find(revision: number, ask: AskRow, read?: ReadRow): Promise<Change | null> {
    const found = this.#turn.then(() => this.#find(revision, ask, read))
    this.#turn = found.catch(() => {})
    return found
  }

  async #find(revision: number, ask: AskRow, read?: ReadRow): Promise<Change | null> {
    if (revision < 1 || revision > this.count) return null
    let singles = mostSingle
    const round = rounds(mostQuestions)
    for (;;) {
      round()
      const known = this.at(revision)
      if (known) return known
      const isRead = read !== undefined && this.isRead(revision)
      const wanted = isRead ? [] : this.#toSplit(revision, singles)
      if (wanted.length > 0) {
        singles -= await this.#split(partsOf(wanted, this.#cut), ask)
        continue
      }
      const way = this.#wayTo(revision)
      if (!read || !this.#isReadable || !way) return null
      // Where questions leave it open, looking at each transaction still tells.
      if (!isRead && pagesOf(way) > mostPages) return null
      this.#isReadable = await this.#read(way, ask, read)
    }
  }

  /** Takes up the transactions next to the nearer end; returns whether they could be read. */
  async #read(way: Way, ask: AskRow, read: ReadRow): Promise<boolean> {
    const { isFromNew, first, last } = way
    const size = min(mostRead, max(way.width + way.width / 8n + BigInt(many), this.#ahead))
    this.#ahead = min(BigInt(readAtOnce), 2n * size)
    const from = isFromNew ? max(first, last - size + 1n) : first
    const to = isFromNew ? last : min(last, first + size - 1n)
    const changes = await read(from, to)
    if (!changes) return false
    const cut = (one: Stretch) => cutAt(one, [from, to + 1n])
    const cross = this.#stretches.filter((one) => cut(one).length > 1)
    if (cross.length > 0) await this.#split(partsOf(cross, cut), ask)
    let before = this.#stretches.findLast((one) => one.to < from)?.after ?? false
    const exact = changes.map(({ tx, isDeletion }): Stretch => {
      const one = { from: tx, to: tx, before, after: !isDeletion, isWritten: !isDeletion }
      before = one.after
      return one
    })
    const older = this.#stretches.filter((one) => one.to < from)
    this.#stretches = [...older, ...exact, ...this.#stretches.filter((one) => one.from > to)]
    return true
  }

  /** What lies between a revision and the nearer end from which all are known. */
  #wayTo(revision: number): Way | null {
    const { oldest, newest } = this.#overview
    const [first, last] = [this.#stretches[oldest]?.from, this.#stretches[newest]?.to]
    if (first === undefined || last === undefined) return null
    const unknown = this.count - oldest - (this.#stretches.length - 1 - newest)
    const fromOld = Math.max(1, revision - oldest)
    const fromNew = Math.max(1, unknown - fromOld + 1)
    const steps = Math.min(fromOld, fromNew)
    const width = ((last - first + 1n) * BigInt(steps)) / BigInt(Math.max(1, unknown))
    return { isFromNew: fromNew < fromOld, steps, width, first, last }
  }

  /** Whether every revision has its stretch, so that the dark ones hold nothing. */
  get #isCounted(): boolean {
    return this.#overview.holding.length === this.count
  }

  /** What is asked of the stretches for each revision, found once for all that are there. */
  get #overview(): Overview {
    const all = this.#stretches
    if (this.#seen?.all === all) return this.#seen
    const [oldest, newest] = [all.findIndex(isUnsure), all.findLastIndex(isUnsure)]
    this.#seen = { all, holding: all.filter(holdsOne), oldest, newest }
    return this.#seen
  }

  /**
   * How far from an end a revision probably is, in transactions, by its place from there; 0 for a
   * row with few.
   */
  #reach(place: number): bigint {
    if (this.count <= many) return 0n
    return ((BigInt(place) + atEnd) * this.last) / BigInt(this.count)
  }

  /** The place among those that hold a change, when all on one side of it are exact. */
  #placeFromEnds(revision: number): number | null {
    const { holding, oldest: firstUnsure, newest: lastUnsure } = this.#overview
    if (firstUnsure < 0) return null
    if (revision <= firstUnsure) return revision - 1
    const sureNew = this.#stretches.length - 1 - lastUnsure
    const fromNew = this.count - revision
    return fromNew < sureNew ? holding.length - 1 - fromNew : null
  }

  /** The stretches to split next, nearest to the wanted revision from the nearer end. */
  #toSplit(revision: number, singles: bigint): readonly Stretch[] {
    const { holding } = this.#overview
    if (this.#isCounted) return holding.slice(revision - 1, revision)
    const isFromNew = this.count - revision < revision
    const place = isFromNew ? this.count - revision : revision - 1
    const inOrder = isFromNew ? [...this.#stretches].reverse() : this.#stretches
    const onTheWay = inOrder.slice(0, 1 + indexOfPlace(inOrder, place))
    const inexact = onTheWay.filter((one) => !isExact(one))
    const light = inexact.filter(holdsOne)
    if (light.length > 0) return this.#near(light, place, isFromNew)
    const width = inexact.reduce((sum, one) => sum + widthOf(one), 0n)
    if (width > 0n && width <= singles) return inexact
    const elsewhere = this.#stretches.filter((one) => holdsOne(one) && !isExact(one))
    if (elsewhere.length > 0) return isFromNew ? elsewhere.reverse() : elsewhere
    if (singles <= 0n) return []
    return this.#stretches.filter(isDark).sort((one, two) => (widthOf(two) > widthOf(one) ? 1 : -1))
  }

  /** Those in which the revision probably is, nearest first; a question about others costs more. */
  #near(light: readonly Stretch[], place: number, isFromNew: boolean): readonly Stretch[] {
    const reach = this.#reach(place)
    const near = light.filter(({ from, to }) => (isFromNew ? this.last - to : from) < reach)
    return near.length > 0 ? near : light
  }

  /** Cut evenly; at an end of a history with many revisions, finely there and coarsely beyond. */
  readonly #cut = (stretch: Stretch, most: number): Part[] => {
    const first = this.#reach(0)
    const isWide = first > 0n && widthOf(stretch) > first * wider
    if (isWide && stretch.to === this.last) return fromEnd(stretch, first)
    if (isWide && stretch.from === 1n) return fromStart(stretch, first)
    return evenParts(stretch, most)
  }

  /** Splits stretches with one statement; returns how many dark periods it asked. */
  async #split(parts: ReadonlyMap<Stretch, readonly Part[]>, ask: AskRow): Promise<bigint> {
    const some = [...parts.keys()]
    const ends = new Set(some.map(({ to }) => to))
    const periods = new Map<bigint, string>()
    for (const part of [...parts.values()].flat()) {
      periods.set(part.to * 2n, `SINCE TX ${part.from} UNTIL TX ${part.to}`)
      if (!ends.has(part.to)) periods.set(part.to * 2n + 1n, `UNTIL TX ${part.to}`)
    }
    const found = await ask(periods)
    const split = (one: Stretch) => told(one, parts.get(one) ?? [], found)
    this.#stretches = this.#stretches.flatMap((one) => (parts.has(one) ? split(one) : [one]))
    return BigInt(some.filter(isDark).flatMap((one) => parts.get(one) ?? []).length)
  }
}

type Overview = {
  readonly all: readonly Stretch[]
  /** Those that hold a change or more. */
  readonly holding: readonly Stretch[]
  /** The first and the last whose transaction is not known; -1 for none. */
  readonly oldest: number
  readonly newest: number
}

type Part = { readonly from: bigint; readonly to: bigint }

/** Between the first and the last transaction whose change is not known. */
type Way = {
  readonly first: bigint
  readonly last: bigint
  readonly isFromNew: boolean
  /** Revisions from the nearer end, and how many transactions these probably take. */
  readonly steps: number
  readonly width: bigint
}

/** Stretches that one statement splits; each holds a revision or more. */
const revisionsAtOnce = atOnce / 4

const pagesOf = ({ width }: Way) => 1 + Math.floor(Number(width) / readAtOnce)
const isReadSooner = (way: Way) => pagesOf(way) <= 1 + way.steps / revisionsAtOnce

const min = (one: bigint, other: bigint) => (one < other ? one : other)
const max = (one: bigint, other: bigint) => (one > other ? one : other)

/** As many of these as fit into one statement, with the parts that each is cut into. */
function partsOf(
  wanted: readonly Stretch[],
  cut: (one: Stretch, most: number) => Part[],
): Map<Stretch, Part[]> {
  const some = wanted.slice(0, revisionsAtOnce)
  return new Map(some.map((one) => [one, cut(one, atOnce / 2 / some.length)]))
}

/** A stretch in parts that begin at these transactions, as far as they are within it. */
function cutAt({ from, to }: Part, starts: readonly bigint[]): Part[] {
  const all = [from, ...starts.filter((start) => from < start && start <= to)]
  return all.map((start, at) => ({ from: start, to: (all[at + 1] ?? to + 1n) - 1n }))
}

/** The parts of a stretch that hold changes, or may. */
function told(of: Stretch, parts: readonly Part[], found: ReadonlySet<bigint>): Stretch[] {
  let { before } = of
  return parts.flatMap(({ from, to }) => {
    const isWritten = found.has(to * 2n)
    const after = to === of.to ? of.after : isWritten || (before && found.has(to * 2n + 1n))
    const part = { from, to, before, after, isWritten }
    before = after
    const isEmpty = !holdsOne(part) && (part.before || from === to)
    return isEmpty ? [] : [part]
  })
}

const widthOf = ({ from, to }: Part) => to - from + 1n
const isExact = (one: Stretch) => one.from === one.to
const isUnsure = (one: Stretch) => !isExact(one)
/** Whether at least one change is in it. */
const holdsOne = ({ before, after, isWritten }: Stretch) => isWritten || (before && !after)
/** Whether nothing is known to be in it, though something may. */
const isDark = (one: Stretch) => !holdsOne(one)
const changeOf = ({ to, isWritten }: Stretch): Change => ({ tx: to, isDeletion: !isWritten })

function joined(stretches: readonly Stretch[]): Stretch {
  const [first, last] = [stretches[0], stretches.at(-1)] as [Stretch, Stretch]
  const isWritten = last.after && stretches.some((one) => one.isWritten)
  return { from: first.from, to: last.to, before: first.before, after: last.after, isWritten }
}

/** Where the stretches pass a number of changes, if each holds the fewest that it can. */
function indexOfPlace(stretches: readonly Stretch[], place: number): number {
  let seen = -1
  const at = stretches.findIndex((one) => {
    seen += holdsOne(one) ? 1 : 0
    return seen === place
  })
  return at < 0 ? stretches.length : at
}

/** Parts that grow from the first transaction on. */
function fromStart({ from, to }: Part, first: bigint): Part[] {
  const next = from + first
  if (next > to) return [{ from, to }]
  return [{ from, to: next - 1n }, ...fromStart({ from: next, to }, first * wider)]
}

/** Parts that shrink down to the last transaction. */
function fromEnd({ from, to }: Part, last: bigint): Part[] {
  const next = to - last
  if (next < from) return [{ from, to }]
  return [...fromEnd({ from, to: next }, last * wider), { from: next + 1n, to }]
}

/** Evenly cut; single transactions where they are few. */
function evenParts({ from, to }: Part, most: number): Part[] {
  const width = to - from + 1n
  const count = width < BigInt(Math.floor(most)) ? width : BigInt(Math.max(2, Math.floor(most)))
  return Array.from({ length: Number(count) }, (_, at) => ({
    from: from + (BigInt(at) * width) / count,
    to: from + (BigInt(at + 1) * width) / count - 1n,
  }))
}
