import { withFinding } from './findings'
import { type Keeping, memoryDoor, type PointsDoor, type StoreName } from './points-door'
import type { KnownServer, TrustRecord } from './record'

/**
 * The door of storage, and one in memory for as long as storage does not answer. What was written
 * meanwhile goes into storage when it answers after all, but never over what is there.
 */
export class LateDoor {
  #door: Promise<PointsDoor>
  #keeping: Keeping = 'memory'

  /** @param arrived storage answered after all, or gave up */
  constructor(opening: Promise<PointsDoor>, timeout: number, arrived: () => void) {
    const memory = memoryDoor()
    this.#door = withinTime(opening, timeout).catch((error: unknown) => {
      if (error !== tooLate) return memory
      this.#keeping = 'late'
      opening
        .then(async (door) => {
          this.#door = moveIn(memory, door).then(() => door)
          await this.#door
        })
        .catch(() => {
          this.#keeping = 'memory'
        })
        .finally(arrived)
      return memory
    })
  }

  /** Never rejects. */
  get door(): Promise<PointsDoor> {
    return this.#door
  }

  async keeping(): Promise<Keeping> {
    return (await this.#door).isKept ? 'kept' : this.#keeping
  }
}

const tooLate = new Error('storage does not answer')

/** Rejects with `tooLate`; the promise itself goes on. */
function withinTime<T>(promise: Promise<T>, timeout: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(tooLate), timeout)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** What is there stays; a value that could not be moved in is forgotten. */
async function moveIn(memory: ReturnType<typeof memoryDoor>, door: PointsDoor): Promise<void> {
  const moves = memory
    .entries()
    .map(([store, key, mine]) => door.change(store, key, (theirs) => merged(store, mine, theirs)))
  await Promise.allSettled(moves)
}

function merged(store: StoreName, mine: unknown, theirs: unknown): unknown {
  if (theirs === null) return mine
  switch (store) {
    case 'points':
      return mergedRecord(mine as TrustRecord, theirs as TrustRecord) // as written
    case 'servers':
      return mergedServers(mine as KnownServer[], theirs as KnownServer[]) // as written
    case 'keys':
      // An operator pinned it, and that was later.
      return mine
    default:
      return undefined
  }
}

/** Findings count, whatever they were compared with; the rest began without knowing what is there. */
function mergedRecord(mine: TrustRecord, theirs: TrustRecord): TrustRecord | undefined {
  const found = mine.break ? [mine.break, ...(mine.others ?? [])] : []
  const merged = found.reduce((record, one) => withFinding(record, one) ?? record, theirs)
  return merged === theirs ? undefined : merged
}

/** The first one is taken without a question, all others were accepted by an operator. */
function mergedServers([, ...accepted]: KnownServer[], theirs: KnownServer[]): KnownServer[] {
  const known = new Set(theirs.map(({ server }) => server))
  return [...theirs, ...accepted.filter(({ server }) => !known.has(server))]
}
