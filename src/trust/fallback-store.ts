import { withFinding, withIncident } from './findings'
import { listedServers } from './known-servers'
import {
  memoryTrustStore,
  type Persistence,
  type StoreName,
  stores,
  type TrustStore,
} from './store'
import { RecordStore, readStored, type StoredIn, writeStored } from './stored-records'
import type { IncidentLog, KnownServers, TrustRecord } from './trust-record'

/**
 * The browser's store, and one in memory until storage answers. When storage answers late, it takes
 * over the values in memory but keeps its own.
 */
export class FallbackTrustStore {
  #store: Promise<TrustStore>
  #keeping: Persistence = 'memory'
  #isOfNewer = false

  /** @param arrived storage answered after all, or gave up */
  constructor(opening: Promise<TrustStore>, timeout: number, arrived: () => void) {
    const memory = memoryTrustStore()
    opening.catch((error: unknown) => {
      this.#isOfNewer = error instanceof DOMException && error.name === 'VersionError'
    })
    this.#store = withinTime(opening, timeout).catch((error: unknown) => {
      if (error !== tooLate) return memory
      this.#keeping = 'late'
      opening
        .then(async (opened) => {
          this.#store = moveIn(memory, opened).then(() => opened)
          await this.#store
        })
        .catch(() => {
          this.#keeping = 'memory'
        })
        .finally(arrived)
      return memory
    })
  }

  /** Never rejects. */
  get store(): Promise<TrustStore> {
    return this.#store
  }

  /** Whether a later version of this console made the storage, so that this one cannot open it. */
  get isOfNewer(): boolean {
    return this.#isOfNewer
  }

  async keeping(): Promise<Persistence> {
    return (await this.#store).isKept ? 'kept' : this.#keeping
  }
}

const tooLate = new Error('storage does not answer')

/** Rejects with `tooLate`; the promise itself continues. */
function withinTime<T>(promise: Promise<T>, timeout: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(tooLate), timeout)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Moves values into storage. Existing ones stay; a value that cannot be moved is lost. */
async function moveIn(memory: TrustStore, kept: TrustStore): Promise<void> {
  const lost = await lostLists(memory, kept)
  const each = await Promise.all(
    stores.map(async (store) =>
      (await memory.all(store)).map(([key, mine]) =>
        kept.change(store, key, (theirs, setAside) => {
          const known = theirs ?? (store === 'servers' ? (lost.get(key) ?? null) : null)
          return mergeValues(store, key, mine, known, setAside)
        }),
      ),
    ),
  )
  await Promise.allSettled(each.flat())
}

/** What stands in for lists of servers that storage has lost, before anything is moved into it. */
async function lostLists(memory: TrustStore, kept: TrustStore): Promise<Map<string, unknown>> {
  const lists = (await memory.all('servers')).map(async ([origin]) => {
    const listed = await listedServers(new RecordStore(kept), origin).catch(() => null)
    return listed ? ([[origin, writeStored('servers', listed)]] as const) : []
  })
  return new Map((await Promise.all(lists)).flat())
}

function mergeValues(
  store: StoreName,
  key: string,
  mine: unknown,
  theirs: unknown,
  setAside: () => void,
): unknown {
  if (theirs === null) return mine
  const { kind } = readStored(store, key, theirs)
  if (kind === 'newer') return undefined
  if (kind === 'damaged') {
    setAside()
    return mine
  }
  const both = <S extends StoreName>(
    of: S,
    merge: (mine: StoredIn[S], theirs: StoredIn[S]) => StoredIn[S] | undefined,
  ) => {
    const [one, other] = [readStored(of, key, mine), readStored(of, key, theirs)]
    if (one.kind !== 'here' || other.kind !== 'here') return undefined
    const result = merge(one.value, other.value)
    return result && writeStored(of, result)
  }
  switch (store) {
    case 'points':
      return both(store, mergedRecord)
    case 'servers':
      return both(store, mergedServers)
    case 'incidents':
      return both(store, mergedIncidents)
    default:
      return undefined
  }
}

/** Only findings move into an existing record; the rest began without knowing it. */
function mergedRecord(mine: TrustRecord, theirs: TrustRecord): TrustRecord | undefined {
  const found = mine.break ? [mine.break, ...(mine.others ?? [])] : []
  const merged = found.reduce((record, one) => withFinding(record, one) ?? record, theirs)
  return merged === theirs ? undefined : merged
}

/** The first server was taken automatically; the operator accepted all others. */
function mergedServers(mine: KnownServers, theirs: KnownServers): KnownServers {
  const [, ...accepted] = mine.servers
  const known = new Set(theirs.servers.map(({ server }) => server))
  const more = accepted.filter(({ server }) => !known.has(server))
  return { ...theirs, servers: [...theirs.servers, ...more] }
}

function mergedIncidents(mine: IncidentLog, theirs: IncidentLog): IncidentLog {
  const all = mine.incidents.reduce((log, one) => withIncident(log.id, log, one), theirs)
  return { ...all, dropped: all.dropped + mine.dropped }
}
