import type { Column, Index } from '~/api/tables'
import { sentence } from '~/atoms/failure'
import { ColumnIcon, KeyIcon, LinkIcon, TableIcon } from '~/ui/Icon'
import type { TreeChildren, TreeNode } from '~/ui/Tree'

/** What is known of an open table. */
export type Details = {
  data: { columns: Column[]; indexes: Index[] | null } | undefined
  error: Error | null
}

/** A table's line in the tree; its id is its name. */
export function tableNode(
  table: string,
  details: Details | undefined,
  retry: () => void,
): TreeNode {
  return {
    id: table,
    label: table,
    icon: <TableIcon />,
    children: childrenOf(table, details, retry),
  }
}

function childrenOf(table: string, details: Details | undefined, retry: () => void): TreeChildren {
  if (details?.data) {
    const { columns, indexes } = details.data
    const others = (indexes ?? []).filter(({ isPrimary }) => !isPrimary)
    return [
      ...columns.map((column) => columnNode(table, column)),
      ...others.map((index) => indexNode(table, index)),
    ]
  }
  if (details?.error) return { error: sentence(details.error), retry }
  return 'loading'
}

function columnNode(table: string, column: Column): TreeNode {
  return {
    id: `${table} column ${column.name}`,
    label: column.name,
    detail: column.type,
    icon: column.isPrimaryKey ? <KeyIcon /> : <ColumnIcon />,
    badges: badgesOf(column),
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
    detail: isUnique ? 'unique index' : 'index',
    icon: <LinkIcon />,
  }
}
