import { storageTimeout } from '~/lib/constants'

/** The part of the browser's storage that the console uses; values are structured clones. */
export type StorageDriver = {
  getItem(key: string): Promise<unknown>
  setItem(key: string, value: unknown): Promise<unknown>
  removeItem(key: string): Promise<void>
  /** Names of all values, where the driver can tell. */
  keys?(): Promise<string[]>
}

export type Storage = {
  /** The stored value, or null; never rejects and never waits longer than the limit. */
  read(key: string): Promise<unknown>
  /** Resolves false when the value could not be kept. Writes happen in the order they are asked. */
  write(key: string, value: unknown): Promise<boolean>
  /** Reads, changes and writes one value with no other write of this tab in between. */
  change(key: string, change: (value: unknown) => unknown): Promise<boolean>
  remove(key: string): Promise<boolean>
  /** Names of everything that is stored. */
  keys(): Promise<readonly string[]>
}

/** It never opened, has no room, or fails since: its data was cleared or another tab holds it. */
export type StorageFailure = 'unavailable' | 'full' | 'failing'

/**
 * Storage that cannot block or break start-up. When opening takes longer than `timeout`
 * milliseconds or fails, everything continues in memory, and `onFailure` is called once. Slow
 * storage takes over when it answers, with the values written in the meantime; then `onRecovery` is
 * called.
 */
export function openStorage(
  load: () => Promise<StorageDriver>,
  onFailure: (reason: StorageFailure) => void,
  onRecovery: () => void = () => {},
  timeout = storageTimeout,
): Storage {
  let isTold = false
  const tell = (reason: StorageFailure) => {
    if (!isTold) onFailure(reason)
    isTold = true
  }
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
        isTold = false
        opened = moveInto(memory, driver).catch((error: unknown) => {
          tell(failureOf(error))
          return memory
        })
        onRecovery()
      },
      () => {
        // It failed for good; `onFailure` was already called.
      },
    )
  let last: Promise<unknown> = opened
  const inTurn = <T>(work: (driver: StorageDriver) => Promise<T>, otherwise: T): Promise<T> => {
    const result = last.then(() => opened).then((driver) => within(work(driver), timeout * 4))
    const settled = result.catch((error: unknown) => {
      tell(failureOf(error))
      return otherwise
    })
    last = settled
    return settled
  }
  return {
    read: (key) => inTurn((driver) => driver.getItem(key), null),
    write: (key, value) => inTurn((driver) => driver.setItem(key, value).then(() => true), false),
    change: (key, change) =>
      inTurn(async (driver) => {
        await driver.setItem(key, change(await driver.getItem(key)))
        return true
      }, false),
    remove: (key) => inTurn((driver) => driver.removeItem(key).then(() => true), false),
    keys: () => inTurn(async (driver) => (await driver.keys?.()) ?? [], []),
  }
}

const failureOf = (error: unknown): StorageFailure =>
  error instanceof DOMException && error.name === 'QuotaExceededError' ? 'full' : 'failing'

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

function within<T>(promise: Promise<T>, timeout: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('storage does not answer')), timeout)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
