import type { Page } from 'playwright-core'
import { until } from './until'

/** Runs in every page, as `before` of a visit: notes what the page tells the other tabs. */
export function noteNews() {
  const { postMessage } = BroadcastChannel.prototype
  const told: unknown[] = []
  Reflect.set(window, '__told', told)
  BroadcastChannel.prototype.postMessage = function (message: unknown) {
    told.push(message)
    postMessage.call(this, message)
  }
}

/**
 * Waits until a page watches activity, the session and other tabs. That part loads some time after
 * the first screen and is invisible; it begins with a message to other tabs.
 */
export async function watching(page: Page): Promise<void> {
  const told = () => page.evaluate(() => JSON.stringify(Reflect.get(window, '__told')))
  await until(told, (news) => news.includes('"opened"'))
}
