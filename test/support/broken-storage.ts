// Each function runs in the page before anything else, so it must not use anything outside itself.

/** IndexedDB whose open never answers. */
export function openNeverAnswers() {
  const silent = { addEventListener() {} }
  Object.defineProperty(IDBFactory.prototype, 'open', { value: () => ({ ...silent }) })
}

/** IndexedDB whose open answers only once the page's `answerOpen` is called. */
export function openAnswersLate() {
  const answered = new Promise<void>((resolve) => Object.assign(window, { answerOpen: resolve }))
  Object.defineProperty(IDBOpenDBRequest.prototype, 'onsuccess', {
    set(answer: (event: Event) => void) {
      this.addEventListener('success', (event: Event) => answered.then(() => answer(event)))
    },
  })
}

/** A browser without IndexedDB. */
export function noIndexedDb() {
  Object.defineProperty(window, 'indexedDB', { value: undefined })
}

/** IndexedDB that is forbidden, as in some private modes. */
export function forbiddenIndexedDb() {
  Object.defineProperty(window, 'indexedDB', {
    get() {
      throw new DOMException('The operation is insecure.', 'SecurityError')
    },
  })
}

/** No storage of any kind. */
export function noStorage() {
  for (const name of ['indexedDB', 'localStorage', 'sessionStorage']) {
    Object.defineProperty(window, name, {
      get() {
        throw new DOMException('The operation is insecure.', 'SecurityError')
      },
    })
  }
}

/** Storage that opens and reads but has no room for a single byte. */
export function fullStorage() {
  const refuse = () => {
    throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
  }
  IDBObjectStore.prototype.put = refuse
  IDBObjectStore.prototype.add = refuse
  Storage.prototype.setItem = refuse
}

/** IndexedDB that answers no write until the page's `answerWrites` is called. */
export function answersWritesLate() {
  const answered = new Promise<void>((resolve) => Object.assign(window, { answerWrites: resolve }))
  Object.defineProperty(IDBTransaction.prototype, 'oncomplete', {
    set(answer: (event: Event) => void) {
      const isWrite = this.mode === 'readwrite'
      this.addEventListener('complete', (event: Event) => {
        if (isWrite) answered.then(() => answer(event))
        else answer(event)
      })
    },
  })
}

/** Storage without room for a single byte until the page's `makeRoom` is called. */
export function fullForNow() {
  const { put } = IDBObjectStore.prototype
  IDBObjectStore.prototype.put = () => {
    throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
  }
  Object.assign(window, {
    makeRoom: () => {
      IDBObjectStore.prototype.put = put
    },
  })
}

/** What a browser may forbid where site data is blocked, or lack. */
export const storageNames = [
  'localStorage',
  'sessionStorage',
  'indexedDB',
  'BroadcastChannel',
  'cookie',
  'serviceWorker',
] as const

/** Where each of them throws: at its name, when it is opened or is not there, or at its first use. */
export const storageBreaks = ['access', 'opening', 'use'] as const

type Broken = {
  names: readonly (typeof storageNames)[number][]
  when: (typeof storageBreaks)[number]
}

/** Each of these throws. */
export function throwing({ names, when }: Broken) {
  const refuse = () => {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  }
  const isFor = (name: Broken['names'][number]) => names.includes(name)
  const put = (of: object, name: string, value: unknown) =>
    Object.defineProperty(of, name, { value, configurable: true })
  const deny = (of: object, name: string) =>
    Object.defineProperty(of, name, { get: refuse, set: refuse, configurable: true })
  const owners = {
    localStorage: window,
    sessionStorage: window,
    indexedDB: window,
    BroadcastChannel: window,
    cookie: Document.prototype,
    serviceWorker: Navigator.prototype,
  }
  if (when === 'access') {
    for (const name of names) deny(owners[name], name)
    return
  }
  const isOpening = when === 'opening'
  for (const name of ['localStorage', 'sessionStorage'] as const) {
    const deaf = {
      getItem: refuse,
      setItem: refuse,
      removeItem: refuse,
      clear: refuse,
      key: refuse,
    }
    if (isFor(name)) put(window, name, isOpening ? null : deaf)
  }
  if (isFor('serviceWorker')) {
    const deaf = { getRegistrations: refuse }
    put(Navigator.prototype, 'serviceWorker', isOpening ? undefined : deaf)
  }
  if (isFor('indexedDB') && isOpening) put(IDBFactory.prototype, 'open', refuse)
  if (isFor('indexedDB') && !isOpening) put(IDBDatabase.prototype, 'transaction', refuse)
  if (isFor('BroadcastChannel') && isOpening) put(window, 'BroadcastChannel', refuse)
  if (isFor('BroadcastChannel') && !isOpening) {
    put(BroadcastChannel.prototype, 'postMessage', refuse)
  }
  if (isFor('cookie')) {
    Object.defineProperty(Document.prototype, 'cookie', {
      get: () => '',
      set: isOpening ? () => {} : refuse,
      configurable: true,
    })
  }
}
