import { useAtomValue } from 'jotai'
import { useAct } from '../act'
import { type Exportable, newestExportAtom, startExport, stopExport } from './exports'

/** What the bar of an export shows and does. */
export function useExport<Format>(exportable: Exportable<Format>) {
  const { kind, name } = exportable
  const newest = useAtomValue(newestExportAtom)(kind)
  const start = useAct(startExport<Format>)
  const stop = useAct(stopExport)
  return {
    /** How far this one is; null where another one is newer. */
    made: newest?.of === name ? newest : null,
    isRunning: newest?.state === 'running',
    write: (format: Format) => start(exportable, format),
    onStop: () => stop(kind),
  }
}
