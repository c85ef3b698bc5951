import { useAtomValue } from 'jotai'
import type { Column, Index } from '~/api/tables'
import { countRows, rowCountsAtom } from '~/atoms/query/row-counts'
import { runStatements } from '~/atoms/query/run'
import { openDetailsAtom, refreshTables, toggleTable } from '~/atoms/tables/table-list'
import type { PastColumn, PastTable } from '~/atoms/transactions/past-tables'
import { useAct } from '~/core/act'
import { sentence } from '~/core/session/failure-words'
import { previewRows } from '~/lib/constants'
import { counted } from '~/lib/text'
import { isWritable, quoteName, UnwritableName } from '~/sql/names'
import { splitStatements } from '~/sql/statements'
import { ColumnIcon, KeyIcon, LinkIcon, TableIcon } from '~/ui/Icon'
import { CountIcon, InsertIcon, PreviewIcon } from '~/ui/QueryIcons'
import { Tree, type TreeChildren, type TreeNode } from '~/ui/Tree'
import { showToast } from '~/ui/toast'
import { useShownTable } from '../tables/address'
import { useQueryPanes } from './query-panes'

type Props = {
  tables: readonly string[]
  /** Their columns and indexes as of the moment that is looked at; the server tells those of now. */
  past?: ReadonlyMap<string, PastTable>
}

/** The tables with their columns, and what can be done with each of them. */
export function TableTree({ tables, past }: Props) {
  const present = useAtomValue(openDetailsAtom)
  const counts = useAtomValue(rowCountsAtom)
  const toggle = useAct(toggleTable)
  const refresh = useAct(refreshTables)
  const count = useAct(countRows)
  const run = useAct(runStatements)
  const { editor, show } = useQueryPanes()
  const { show: openTable } = useShownTable()
  const actions = {
    open: openTable,
    insert: (name: string) =>
      withName(name, (written) => {
        show('editor')
        openTable(null)
        editor.current?.insert(written)
      }),
    count: (table: string) =>
      void count(table).catch((error: unknown) =>
        showToast({ kind: 'error', text: `${table} was not counted. ${sentence(error)}` }),
      ),
    preview: (table: string) =>
      withName(table, (written) => {
        const text = `SELECT * FROM ${written} LIMIT ${previewRows}`
        show('output')
        openTable(null)
        void run(text, splitStatements(text))
      }),
    retry: () => void refresh(),
  }
  const rowsOf = (table: string) => {
    const found = counts.get(table)
    return found === undefined ? undefined : counted(BigInt(found), 'row')
  }
  const detailsOf = (table: string): Details | undefined => {
    const data = past?.get(table)
    return past ? { data, error: null } : present.get(table)
  }
  const nodes = tables.map((table) => {
    const node = tableNode(table, detailsOf(table), rowsOf(table), actions)
    const of = past?.get(table)
    return of && of.now !== table ? changedSince(node, of.now) : node
  })
  return <Tree label="Tables" nodes={nodes} onToggle={toggle} />
}

/** Does something with a name as statements have it, or says why none can. */
function withName(name: string, use: (written: string) => void) {
  if (isWritable(name)) use(quoteName(name))
  else showToast({ kind: 'error', text: sentence(new UnwritableName(name)) })
}

/** A table that queries do not know by this name, because it was renamed or dropped since. */
function changedSince(node: TreeNode, now: string | null): TreeNode {
  const { show: _, ...rest } = node
  return { ...rest, badges: [sinceBadge(now)], actions: [] }
}

function sinceBadge(now: string | null) {
  return now === null
    ? { text: 'dropped since', title: 'Queries cannot read it any more, not even as of then' }
    : {
        text: `now ${now}`,
        title: 'Renamed since. Queries need the name of today, also as of then',
      }
}

/** What is known of an open table. */
type Details = {
  data: { columns: (Column & Partial<PastColumn>)[]; indexes: Index[] | null } | undefined
  error: Error | null
}

/** What can be done from the tree. */
type TreeActions = {
  /** Shows its rows in a tab. */
  open: (table: string) => void
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
    show: () => actions.open(table),
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

function columnNode(
  table: string,
  column: Column & Partial<PastColumn>,
  actions: TreeActions,
): TreeNode {
  const { now = column.name } = column
  const isGone = now === null
  return {
    id: `${table} column ${column.name}`,
    label: column.name,
    type: 'col',
    detail: column.type,
    icon: column.isPrimaryKey ? <KeyIcon /> : <ColumnIcon />,
    badges: now === column.name ? badgesOf(column) : [sinceBadge(now), ...badgesOf(column)],
    actions: isGone ? [] : [insertAction(now, actions)],
    ...(isGone ? {} : { activate: () => actions.insert(now) }),
  }
}

function badgesOf(column: Column) {
  const badges: { text: string; title: string }[] = []
  if (column.isPrimaryKey) badges.push({ text: 'PK', title: 'Part of the primary key' })
  if (column.isForeignKey) badges.push({ text: 'FK', title: 'Foreign key' })
  if (column.isAutoIncrement) badges.push({ text: 'AUTO', title: 'Auto-increment' })
  if (column.isUnique && !column.isPrimaryKey) {
    badges.push({ text: 'UNIQUE', title: 'No two rows have the same value' })
  }
  if (column.isIndexed) badges.push({ text: 'IDX', title: 'Indexed' })
  // Most columns may; a key never.
  if (!column.isNullable && !column.isPrimaryKey) {
    badges.push({ text: 'NOT NULL', title: 'Never NULL' })
  }
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
