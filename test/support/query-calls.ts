import type { ConsolePage } from './console-page'
import type { Open } from './e2e'
import type { FaultProxy } from './fault-proxy'

/** The operator's own queries; the console asks for tables and columns the same way. */
export const query = { method: 'POST', path: '/db/sqlquery', body: /SELECT (\d|')/ }

/** Writes of SQL. */
export const exec = { method: 'POST', path: '/db/sqlexec' }

/** The screen of SQL, signed in, whose server is behind a proxy. */
export async function queryScreen(open: Open, proxy: FaultProxy): Promise<ConsolePage> {
  const console = await open(proxy.url)
  await console.enter('/query')
  return console
}
