import { useAtomValue, useSetAtom } from 'jotai'
import { sentence } from '~/atoms/failure'
import { countRowsAtom, rowCountsAtom } from '~/atoms/row-counts'
import { runAtom } from '~/atoms/run'
import { openDetailsAtom, refreshTablesAtom, toggleTableAtom } from '~/atoms/tables'
import { previewRows } from '~/lib/constants'
import { counted } from '~/lib/text'
import { quoteName } from '~/sql/names'
import { splitStatements } from '~/sql/statements'
import { Tree } from '~/ui/Tree'
import { showToast } from '~/ui/toast'
import { useDesk } from './desk'
import { tableNode } from './table-node'

/** The tables with their columns, and what can be done with each of them. */
export function TableTree({ tables }: { tables: readonly string[] }) {
  const details = useAtomValue(openDetailsAtom)
  const counts = useAtomValue(rowCountsAtom)
  const toggle = useSetAtom(toggleTableAtom)
  const refresh = useSetAtom(refreshTablesAtom)
  const count = useSetAtom(countRowsAtom)
  const run = useSetAtom(runAtom)
  const { editor, show } = useDesk()
  const actions = {
    insert: (name: string) => {
      show('editor')
      editor.current?.insert(quoteName(name))
    },
    count: (table: string) =>
      void count(table).catch((error: unknown) =>
        showToast({ kind: 'error', text: `${table} was not counted. ${sentence(error)}` }),
      ),
    preview: (table: string) => {
      const text = `SELECT * FROM ${quoteName(table)} LIMIT ${previewRows}`
      show('output')
      void run(text, splitStatements(text))
    },
    retry: () => void refresh(),
  }
  const rowsOf = (table: string) => {
    const found = counts.get(table)
    return found === undefined ? undefined : counted(BigInt(found), 'row')
  }
  const nodes = tables.map((table) => tableNode(table, details.get(table), rowsOf(table), actions))
  return <Tree label="Tables" nodes={nodes} onToggle={toggle} />
}
