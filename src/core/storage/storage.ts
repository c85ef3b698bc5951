import { storageTimeout } from '~/lib/constants'

/** The part of the browser's storage that the console uses; values are structured clones. */
export type StorageDriver = {
  getItem(key: string): Promise<unknown>
  setItem(key: string, value: unknown): Promise<unknown>
  removeItem(key: string): Promise<void>
  /**
   * Reads, changes and writes one value with no other write of any tab in between. `to` may be called
   * again with a newer value, does not throw, and returns undefined for none.
   */
  change?(key: string, to: (value: unknown) => unknown): Promise<void>
  /** Names of all values, where the driver can tell. */
  keys?(): Promise<string[]>
}

export type Storage = {
  /** The stored value, or null; never rejects and never waits longer than the limit. */
  read(key: string): Promise<unknown>
  /** Resolves false when the value could not be kept. Writes happen in the order they are asked. */
  write(key: string, value: unknown): Promise<boolean>
  /**
   * Reads, changes and writes one value with no other write in between: of any tab where the browser
   * has IndexedDB, else of this one. `change` may be called more than once.
   */
  change(key: string, change: (value: unknown) => unknown): Promise<boolean>
  /**
   * The same for what the page has made of its own state already: when storage does not take it now,
   * it is asked again until it does.
   */
  keep(key: string, change: (value: unknown) => unknown): Promise<boolean>
  /** It is asked again as well. */
  remove(key: string): Promise<boolean>
  /** Names of everything that is stored. */
  keys(): Promise<readonly string[]>
}

/**
 * It never opened, has no room, does not answer, or fails since: its data was cleared or another tab
 * holds it.
 */
export type StorageFailure = 'unavailable' | 'full' | 'silent' | 'failing'

/** Undefined: there is to be no value. */
type Change = (value: unknown) => unknown

/**
 * Storage that cannot block or break start-up. When opening takes longer than `timeout`
 * milliseconds or fails, everything continues in memory. Slow storage takes over when it answers,
 * with the values written in the meantime. What is to be kept and was not taken is asked again before
 * the next change of the same value, and every `timeout * 10`.
 * @param onFailure called once for each reason
 * @param onRecovery it works again and lacks nothing; `isLate` where it had not opened in time
 */
export function openStorage(
  load: () => Promise<StorageDriver>,
  onFailure: (reason: StorageFailure) => void,
  onRecovery: (isLate: boolean) => void = () => {},
  timeout = storageTimeout,
): Storage {
  let told: StorageFailure | null = null
  const tell = (reason: StorageFailure) => {
    if (told !== reason) onFailure(reason)
    told = reason
  }
  /** What is to be made of values that storage has not taken yet, by their keys. */
  const missed = new Map<string, Change>()
  let isAskingAgain = false
  const memory = memoryDriver()
  const real = load().then(probe)
  let opened: Promise<StorageDriver> = within(real, timeout).catch(() => {
    tell('unavailable')
    takeOverLater()
    return memory
  })
  const takeOverLater = () =>
    real.then(
      (driver) => {
        told = null
        opened = moveInto(memory, driver).catch((error: unknown) => {
          tell(failureOf(error))
          return memory
        })
        onRecovery(true)
      },
      () => {
        // It failed for good; `onFailure` was already called.
      },
    )
  const noteAnswer = (driver: StorageDriver, isWritten: boolean) => {
    if (told === null || driver === memory || missed.size > 0) return
    // Full storage can still be read.
    if (!isWritten && told !== 'silent') return
    told = null
    onRecovery(false)
  }
  let last: Promise<unknown> = opened
  const inTurn = <T>(
    work: (driver: StorageDriver) => Promise<T>,
    otherwise: T,
    onMissed?: () => void,
  ): Promise<T> => {
    const answered = async (driver: StorageDriver) => {
      const result = await work(driver)
      noteAnswer(driver, onMissed !== undefined)
      return result
    }
    const result = last.then(() => opened).then((driver) => within(answered(driver), timeout * 4))
    const settled = result.catch((error: unknown) => {
      onMissed?.()
      tell(failureOf(error))
      return otherwise
    })
    last = settled
    return settled
  }
  const make = (key: string, change: Change, isOfOld: boolean, isKept: boolean) => {
    const withMissed = (): Change => {
      const earlier = missed.get(key)
      return isOfOld && earlier ? (value) => change(earlier(value) ?? null) : change
    }
    let whole = withMissed()
    const work = async (driver: StorageDriver) => {
      let earlier: Change | undefined
      let isMade = true
      const to: Change = (old) => {
        // What was given up may have been taken meanwhile.
        earlier = missed.get(key)
        whole = withMissed()
        try {
          return whole(old)
        } catch {
          isMade = false
          return old ?? undefined
        }
      }
      if (isOfOld && driver.change) await driver.change(key, to)
      else {
        const value = to(isOfOld ? await driver.getItem(key) : null)
        await (value === undefined ? driver.removeItem(key) : driver.setItem(key, value))
      }
      if (isMade && [earlier, whole].includes(missed.get(key))) missed.delete(key)
      return isMade
    }
    return inTurn(work, false, () => {
      if (isKept) missed.set(key, whole)
      if (missed.size === 0 || isAskingAgain) return
      isAskingAgain = true
      setTimeout(makeMissed, timeout * 10)
    })
  }
  const makeMissed = () => {
    isAskingAgain = false
    for (const key of missed.keys()) void make(key, (value) => value ?? undefined, true, false)
  }
  return {
    read: (key) => inTurn((driver) => driver.getItem(key), null),
    write: (key, value) => make(key, () => value, false, false),
    change: (key, change) => make(key, change, true, false),
    keep: (key, change) => make(key, change, true, true),
    remove: (key) => make(key, () => undefined, false, true),
    keys: () =>
      inTurn(async (driver) => {
        const stored = (await driver.keys?.()) ?? []
        return [...new Set([...stored, ...missed.keys()])]
      }, []),
  }
}

function failureOf(error: unknown): StorageFailure {
  if (error === noAnswer) return 'silent'
  return error instanceof DOMException && error.name === 'QuotaExceededError' ? 'full' : 'failing'
}

/** A driver may load but never open its database; one read shows whether it works. */
async function probe(driver: StorageDriver): Promise<StorageDriver> {
  await driver.getItem('webconsole.probe')
  return driver
}

async function moveInto(memory: MemoryDriver, driver: StorageDriver): Promise<StorageDriver> {
  for (const [key, value] of memory.values) await driver.setItem(key, value)
  return driver
}

type MemoryDriver = StorageDriver & { readonly values: ReadonlyMap<string, unknown> }

export function memoryDriver(): MemoryDriver {
  const values = new Map<string, unknown>()
  return {
    values,
    getItem: async (key) => values.get(key) ?? null,
    setItem: async (key, value) => values.set(key, value),
    removeItem: async (key) => {
      values.delete(key)
    },
    keys: async () => [...values.keys()],
  }
}

const noAnswer = new Error('storage does not answer')

function within<T>(promise: Promise<T>, timeout: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(noAnswer), timeout)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
