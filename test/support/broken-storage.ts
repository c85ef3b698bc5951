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
