/** A database of the browser. */
export type Database = {
  /** False: its connection ended and could not be opened again. */
  readonly isOpen: boolean
  /**
   * Does all of `work` in one transaction across all tabs, or nothing of it. Rejects when storage
   * fails or `work` throws.
   */
  transact<T>(stores: string | string[], mode: IDBTransactionMode, work: Work<T>): Promise<T>
}

/**
 * Makes the requests of a transaction and returns what reads the result once they are answered. What
 * depends on the answer to one of them goes into `follow`, once. It may begin again from the start as
 * long as that is not answered.
 */
type Work<T> = (
  transaction: IDBTransaction,
  follow: (request: IDBRequest, next: () => void) => void,
) => () => T

type Options = {
  readonly name: string
  /** Absent: the one that it has, or the next one where a store is missing. */
  readonly version?: number
  readonly stores: readonly string[]
  /** The connection ended: site data was cleared, or another tab deleted or changed the database. */
  readonly ended?: () => void
}

/**
 * Opens a database of the browser with these stores. Rejects when it is missing, switched off or
 * broken. A connection that ended is opened once more by the next call: what was deleted is empty
 * then.
 *
 * A page that is left may be kept for “back”, and nothing runs in it. WebKit then keeps its
 * transactions open too, and the next page waits for them for minutes. So the browser is told at
 * once that a transaction has all of its requests, and ends it without the page. One that has to wait
 * for an answer is given up when the page is left, and begins again when the page is back.
 */
export async function openDatabase(options: Options): Promise<Database> {
  let connection = openStores(options)
  await connection
  let isOpen = true
  const begin = async (...of: Parameters<IDBDatabase['transaction']>): Promise<IDBTransaction> => {
    const before = connection
    try {
      return (await before).transaction(...of)
    } catch {
      // Of several calls that find it ended the first opens it again.
      if (connection === before) connection = openStores(options)
    }
    try {
      const transaction = (await connection).transaction(...of)
      isOpen = true
      return transaction
    } catch (error) {
      isOpen = false
      throw error
    }
  }
  return {
    get isOpen() {
      return isOpen
    },
    async transact(stores, mode, work) {
      for (;;) {
        const done = await run(await begin(stores, mode), work)
        if ('read' in done) return done.read()
        await done.back
      }
    },
  }
}

/** What reads the result, or when the page that was left is back. */
type Done<T> = { readonly read: () => T } | { readonly back: Promise<unknown> }

function run<T>(transaction: IDBTransaction, work: Work<T>): Promise<Done<T>> {
  return new Promise((resolve, reject) => {
    let why: unknown = null
    const giveUp = (error: unknown) => {
      why = error
      transaction.abort()
    }
    const leave = () => {
      const back = new Promise((shown) => addEventListener('pageshow', shown, { once: true }))
      transaction.onabort = () => resolve({ back })
      transaction.abort()
    }
    let isFollowed = false
    const follow = (request: IDBRequest, next: () => void) => {
      isFollowed = true
      addEventListener('pagehide', leave, { once: true })
      request.onsuccess = () => {
        removeEventListener('pagehide', leave)
        // An exception in an event handler would not reject the promise.
        try {
          next()
          transaction.commit()
        } catch (error) {
          giveUp(error)
        }
      }
    }
    transaction.onabort = () => {
      removeEventListener('pagehide', leave)
      reject(why ?? transaction.error ?? new DOMException('storage gave up', 'AbortError'))
    }
    try {
      const read = work(transaction, follow)
      transaction.oncomplete = () => resolve({ read })
      if (!isFollowed) transaction.commit()
    } catch (error) {
      giveUp(error)
    }
  })
}

async function openStores(options: Options): Promise<IDBDatabase> {
  const { version, stores } = options
  const found = await connect(options, version)
  const lacksNone = () => stores.every((store) => found.objectStoreNames.contains(store))
  if (version !== undefined || lacksNone()) return found
  found.close()
  return connect(options, found.version + 1)
}

function connect({ name, stores, ended }: Options, version?: number): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    // While a tab of an older build has it open, this waits, and storage counts as late.
    const request = indexedDB.open(name, version)
    request.onupgradeneeded = () => {
      const { result } = request
      for (const store of stores) {
        if (!result.objectStoreNames.contains(store)) result.createObjectStore(store)
      }
    }
    request.onsuccess = () => {
      // Another tab of a newer build may have to change the stores.
      request.result.onversionchange = () => {
        request.result.close()
        ended?.()
      }
      request.result.onclose = () => ended?.()
      resolve(request.result)
    }
    request.onerror = () => reject(request.error ?? new Error('storage cannot be opened'))
  })
}
