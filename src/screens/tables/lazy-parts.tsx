import { lazyWithRetry } from '~/ui/lazy-with-retry'
import { Skeleton } from '~/ui/Skeleton'

const load = () => import('./rare-parts').then((module) => module.rareParts)

export const ColumnsDialog = lazyWithRetry(() => load().then((parts) => parts.ColumnsDialog))
export const DemoDialog = lazyWithRetry(() => load().then((parts) => parts.DemoDialog))
export const EditStrip = lazyWithRetry(() => load().then((parts) => parts.EditStrip))
export const FilterForm = lazyWithRetry(() => load().then((parts) => parts.FilterForm))
export const ImportDialog = lazyWithRetry(() =>
  import('./import/ImportDialog').then((module) => module.ImportDialog),
)
export const LeftCells = lazyWithRetry(() => load().then((parts) => parts.LeftCells))
export const RowSheet = lazyWithRetry(() => load().then((parts) => parts.RowSheet))
export const SchemaDialog = lazyWithRetry(() => load().then((parts) => parts.SchemaDialog))
export const TableParts = lazyWithRetry(() => load().then((parts) => parts.TableParts), {
  meanwhile: <Skeleton lines={6} />,
})
