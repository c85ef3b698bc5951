import { ensureChromium } from './chromium'
import type { EngineName } from './engine'
import { ensureFirefox } from './firefox'
import { ensureWebKit } from './webkit'

/** Finds the browser of an engine or installs it; false when it is not to be had here. */
export function ensureEngine(engine: EngineName): boolean {
  if (engine === 'firefox') return ensureFirefox()
  if (engine === 'webkit') return ensureWebKit()
  ensureChromium()
  return true
}
