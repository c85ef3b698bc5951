import { useAtomValue } from 'jotai'
import type { TableDescription } from '~/atoms/tables/description'
import { exportName, exportTable, tableExports } from '~/atoms/tables/table-export'
import { pathFor } from '~/atoms/tables/table-rows'
import { useAct } from '~/core/act'
import { keyOrder } from '~/sql/row-filter'
import { ExportMenu, ExportNote, rowFormats } from '~/ui/Export'
import type { RowList } from './use-rows'

/** Saves all rows that the filter lets through, not only those of the page. */
export function ExportRows({ of, description }: { of: RowList; description: TableDescription }) {
  const made = useAtomValue(tableExports.newestAtom)
  const write = useAct(exportTable)
  return (
    <ExportMenu
      formats={rowFormats}
      isRunning={made?.state === 'running'}
      write={(format) => write(of, format, byKeyOf(description))}
    />
  )
}

/** The order of the key; null for a view, which has none. */
function byKeyOf(description: TableDescription) {
  const path = pathFor(description, keyOrder)
  return path.key === null ? null : path
}

/** How far the export of this table is, or what came of it. */
export function ExportState({ of }: { of: RowList }) {
  const made = useAtomValue(tableExports.newestAtom)
  const stop = useAct(tableExports.stop)
  if (made?.of !== exportName(of)) return null
  return (
    <div className="px-3 py-1">
      <ExportNote made={made} onStop={stop} />
    </div>
  )
}
