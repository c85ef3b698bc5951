/** In the place of a worker: keeps what it is told, and says what the test wants. */
export class FakeWorker<Order = unknown, News extends object = object> extends EventTarget {
  /** All that were started, the oldest first; a test that counts them begins with none. */
  static all: FakeWorker[] = []

  readonly orders: Order[] = []
  isEnded = false

  constructor() {
    super()
    FakeWorker.all.push(this as FakeWorker)
  }

  postMessage(order: Order) {
    this.orders.push(order)
  }

  terminate() {
    this.isEnded = true
  }

  tell(news: News) {
    this.dispatchEvent(new MessageEvent('message', { data: news }))
  }
}
