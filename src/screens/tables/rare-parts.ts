import { ColumnsDialog } from './ColumnsDialog'
import { DemoDialog } from './DemoDialog'
import { EditStrip } from './edits/EditStrip'
import { LeftCells } from './edits/LeftCells'
import { FilterForm } from './FilterForm'
import { RowSheet } from './RowSheet'
import { SchemaDialog } from './schema/SchemaDialog'
import { TableParts } from './TableParts'

/** What few visits to a table need, in one script: forms, all that writes, and its structure. */
export const rareParts = {
  ColumnsDialog,
  DemoDialog,
  EditStrip,
  FilterForm,
  LeftCells,
  RowSheet,
  SchemaDialog,
  TableParts,
}
