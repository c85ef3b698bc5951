import { Grid } from '~/ui/Grid'
import { lazyWithRetry } from '~/ui/lazy-with-retry'

// Nothing needs them before there is a result or a table, and they weigh as much as the screen.
const loadResult = () => {
  void Grid.prepare()
  return import('./ResultRows')
}

export const PlainRows = lazyWithRetry(() => loadResult().then((part) => part.PlainRows))
export const ResultRows = lazyWithRetry(() => loadResult().then((part) => part.ResultRows), {
  meanwhile: <p className="late text-muted">Drawing…</p>,
})
export const TablePane = lazyWithRetry(() => {
  void Grid.prepare()
  return import('../tables/TablePane').then((part) => part.TablePane)
})
