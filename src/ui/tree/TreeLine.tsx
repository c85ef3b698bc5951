// biome-ignore-all lint/a11y/useFocusableInteractive: the focus stays on the tree, which names its active item.

import { memo, type ReactNode } from 'react'
import { visibleText } from '~/lib/visible-text'
import { ChevronRightIcon, ErrorIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { join } from '~/ui/join'
import { SafeName } from '~/ui/SafeName'
import { SafeText } from '~/ui/SafeText'
import { Spinner } from '~/ui/Spinner'
import { rowName, type TreeNode, type TreeRow } from '~/ui/tree/rows'

export type TreeLineProps = {
  row: TreeRow
  index: number
  top: number
  height: number
  /** Where the keys act. */
  active: boolean
  /** Active by someone's choice, and shown so. */
  chosen: boolean
  activeId: string
}

/** One visible line; presses are handled by the tree, which finds the row by `data-index`. */
export const TreeLine = memo(function TreeLine(props: TreeLineProps) {
  const { row, index, top, height, active, chosen, activeId } = props
  return (
    <div
      aria-expanded={row.kind === 'node' ? row.open : undefined}
      aria-label={visibleText(rowName(row))}
      aria-level={row.level}
      aria-posinset={row.position}
      aria-selected={chosen}
      aria-setsize={row.siblings}
      className={join(
        'group absolute top-0 left-0 flex w-full cursor-default select-none items-center pe-1 text-sm hover:bg-hover',
        chosen && 'bg-selected',
      )}
      data-active={active || undefined}
      data-index={index}
      data-type={row.kind === 'node' ? row.node.type : undefined}
      id={active ? activeId : undefined}
      role="treeitem"
      style={{ transform: `translateY(${top}px)`, height }}
    >
      <Guides level={row.level} />
      <LineContent active={chosen} row={row} />
    </div>
  )
})

/** Thin lines that lead the eye from children back to their parent. */
function Guides({ level }: { level: number }) {
  return Array.from({ length: level - 1 }, (_, depth) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a guide is its depth.
    <span className="ms-[15px] h-full w-px shrink-0 bg-line/70" key={depth} />
  ))
}

function LineContent({ row, active }: { row: TreeRow; active: boolean }): ReactNode {
  if (row.kind === 'loading') {
    return (
      <span className="late flex items-center gap-2 ps-3 text-muted">
        <Spinner size={12} /> Loading…
      </span>
    )
  }
  if (row.kind === 'error') {
    return (
      <>
        <span className="ps-3 text-error">
          <ErrorIcon />
        </span>
        <span className="min-w-0 flex-1 truncate px-2 text-error" title={visibleText(row.error)}>
          <SafeText text={row.error} />
        </span>
        <button
          className="h-full rounded px-2 font-medium text-primary hover:underline"
          onClick={row.retry}
          tabIndex={active ? 0 : -1}
          type="button"
        >
          Retry
        </button>
      </>
    )
  }
  return <NodeContent active={active} node={row.node} open={row.open} />
}

type NodeContentProps = { node: TreeNode; open: boolean | undefined; active: boolean }

function NodeContent({ node, open, active }: NodeContentProps) {
  return (
    <>
      <span className="flex w-7 shrink-0 justify-center text-muted">
        {open !== undefined && (
          <ChevronRightIcon
            className={join('transition-transform duration-100', open && 'rotate-90')}
          />
        )}
      </span>
      {node.icon && <span className="me-2 shrink-0 text-muted">{node.icon}</span>}
      <span className="min-w-0 shrink truncate" title={visibleText(node.label, 'name')}>
        <SafeName text={node.label} />
      </span>
      {node.badges?.map((badge) => (
        <span
          className="ms-1.5 shrink-0 rounded-sm border border-line px-1 font-medium text-[11px] text-muted leading-4"
          key={badge.text}
          title={badge.title}
        >
          {/* Spaces keep the words apart where the text is read without its layout. */}
          {` ${badge.text}`}
        </span>
      ))}
      <span className="min-w-4 flex-1" />
      {node.detail && (
        <span
          className={join(
            'min-w-0 shrink-[99] truncate ps-2 pe-2 text-muted text-xs',
            node.actions && 'group-hover:hidden',
            node.actions && active && 'hidden',
          )}
        >
          {' '}
          <SafeText text={node.detail} />
        </span>
      )}
      {node.actions && (
        <span className={join('shrink-0 group-hover:flex', active ? 'flex' : 'hidden')}>
          {node.actions.map((action) => (
            <IconButton
              icon={action.icon}
              key={action.label}
              label={action.label}
              onClick={action.run}
              size="tiny"
              tabIndex={active ? 0 : -1}
            />
          ))}
        </span>
      )}
    </>
  )
}
