import { lazyWithRetry } from '~/ui/lazy-with-retry'
import { Skeleton } from '~/ui/Skeleton'

export const ColumnsDialog = lazyWithRetry(() =>
  import('./ColumnsDialog').then((part) => part.ColumnsDialog),
)
export const DemoDialog = lazyWithRetry(() =>
  import('./DemoDialog').then((part) => part.DemoDialog),
)
export const EditStrip = lazyWithRetry(() =>
  import('./edits/EditStrip').then((part) => part.EditStrip),
)
export const FilterForm = lazyWithRetry(() =>
  import('./FilterForm').then((part) => part.FilterForm),
)
export const ImportDialog = lazyWithRetry(() =>
  import('./import/ImportDialog').then((part) => part.ImportDialog),
)
export const LeftCells = lazyWithRetry(() =>
  import('./edits/LeftCells').then((part) => part.LeftCells),
)
export const RowSheet = lazyWithRetry(() => import('./RowSheet').then((part) => part.RowSheet))
export const SchemaDialog = lazyWithRetry(() =>
  import('./schema/SchemaDialog').then((part) => part.SchemaDialog),
)
export const TableParts = lazyWithRetry(
  () => import('./TableParts').then((part) => part.TableParts),
  {
    meanwhile: <Skeleton lines={6} />,
  },
)
