import { Grid } from '~/ui/Grid'
import { lazyWithRetry } from '~/ui/lazy-with-retry'

// Nothing needs them before there is a result or a table, and they weigh as much as the screen.
const load = async () => {
  void Grid.prepare()
  return (await import('./row-parts')).rowParts
}

export const PlainRows = lazyWithRetry(() => load().then((parts) => parts.PlainRows))
export const ResultRows = lazyWithRetry(() => load().then((parts) => parts.ResultRows), {
  meanwhile: <p className="late text-muted">Drawing…</p>,
})
export const TablePane = lazyWithRetry(() => load().then((parts) => parts.TablePane))
