import { useAtomValue, useSetAtom } from 'jotai'
import type { Column, Index } from '~/api/tables'
import { countRowsAtom, rowCountsAtom } from '~/atoms/query/row-counts'
import { runAtom } from '~/atoms/query/run'
import { openDetailsAtom, refreshTablesAtom, toggleTableAtom } from '~/atoms/query/tables'
import { sentence } from '~/atoms/storage/failure'
import { previewRows } from '~/lib/constants'
import { counted } from '~/lib/text'
import { quoteName } from '~/sql/names'
import { splitStatements } from '~/sql/statements'
import { ColumnIcon, KeyIcon, LinkIcon, TableIcon } from '~/ui/Icon'
import { CountIcon, InsertIcon, PreviewIcon } from '~/ui/QueryIcons'
import { Tree, type TreeChildren, type TreeNode } from '~/ui/Tree'
import { showToast } from '~/ui/toast'
import { useQueryPanes } from './query-panes'

/** The tables with their columns, and what can be done with each of them. */
export function TableTree({ tables }: { tables: readonly string[] }) {
  const details = useAtomValue(openDetailsAtom)
  const counts = useAtomValue(rowCountsAtom)
  const toggle = useSetAtom(toggleTableAtom)
  const refresh = useSetAtom(refreshTablesAtom)
  const count = useSetAtom(countRowsAtom)
  const run = useSetAtom(runAtom)
  const { editor, show } = useQueryPanes()
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

/** What is known of an open table. */
type Details = {
  data: { columns: Column[]; indexes: Index[] | null } | undefined
  error: Error | null
}

/** What can be done from the tree. */
type TreeActions = {
  /** Puts a name into the editor, at the caret. */
  insert: (name: string) => void
  count: (table: string) => void
  preview: (table: string) => void
  retry: () => void
}

/** A table's line in the tree; its id is its name. `rows` is their number where it was asked for. */
export function tableNode(
  table: string,
  details: Details | undefined,
  rows: string | undefined,
  actions: TreeActions,
): TreeNode {
  return {
    id: table,
    label: table,
    type: 'tab',
    icon: <TableIcon />,
    ...(rows === undefined
      ? {}
      : { badges: [{ text: rows, title: 'Counted at the moment that is looked at' }] }),
    actions: [
      insertAction(table, actions),
      {
        label: `Count the rows of ${table}`,
        icon: <CountIcon />,
        run: () => actions.count(table),
      },
      {
        label: `Preview ${table}`,
        icon: <PreviewIcon />,
        run: () => actions.preview(table),
      },
    ],
    children: childrenOf(table, details, actions),
  }
}

function insertAction(name: string, { insert }: TreeActions) {
  return { label: `Insert ${name}`, icon: <InsertIcon />, run: () => insert(name) }
}

function childrenOf(
  table: string,
  details: Details | undefined,
  actions: TreeActions,
): TreeChildren {
  if (details?.data) {
    const { columns, indexes } = details.data
    const others = (indexes ?? []).filter(({ isPrimary }) => !isPrimary)
    return [
      ...columns.map((column) => columnNode(table, column, actions)),
      ...others.map((index) => indexNode(table, index)),
    ]
  }
  if (details?.error) return { error: sentence(details.error), retry: actions.retry }
  return 'loading'
}

function columnNode(table: string, column: Column, actions: TreeActions): TreeNode {
  return {
    id: `${table} column ${column.name}`,
    label: column.name,
    type: 'col',
    detail: column.type,
    icon: column.isPrimaryKey ? <KeyIcon /> : <ColumnIcon />,
    badges: badgesOf(column),
    actions: [insertAction(column.name, actions)],
    activate: () => actions.insert(column.name),
  }
}

function badgesOf(column: Column) {
  const badges: { text: string; title: string }[] = []
  if (column.isPrimaryKey) badges.push({ text: 'PK', title: 'Part of the primary key' })
  if (column.isForeignKey) badges.push({ text: 'FK', title: 'Foreign key' })
  if (column.isAutoIncrement) badges.push({ text: 'AUTO', title: 'Counts up by itself' })
  if (column.isUnique && !column.isPrimaryKey) {
    badges.push({ text: 'UNIQUE', title: 'No two rows have the same value' })
  }
  if (column.isIndexed) badges.push({ text: 'IDX', title: 'Indexed' })
  if (column.isNullable) badges.push({ text: 'NULL', title: 'May be NULL' })
  return badges
}

function indexNode(table: string, { columns, isUnique }: Index): TreeNode {
  const label = columns.join(', ')
  return {
    id: `${table} index ${label}`,
    label: `(${label})`,
    type: 'index',
    detail: isUnique ? 'unique index' : 'index',
    icon: <LinkIcon />,
  }
}
