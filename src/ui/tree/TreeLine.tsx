// biome-ignore-all lint/a11y/useFocusableInteractive: the focus stays on the tree, which names its active item.

import { memo, type ReactNode } from 'react'
import { visibleText } from '~/lib/visible-text'
import { ChevronRightIcon, ErrorIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { Spinner } from '~/ui/Spinner'
import { rowName, type TreeNode, type TreeRow } from '~/ui/tree/tree-rows'
import { cx } from '../cx'
import { SafeName, SafeText } from '../SafeText'
import { ToLimit } from '../Sentence'

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
      className={cx(
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
        <ToLimit tabIndex={active ? 0 : -1} text={row.error} />
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
      <span
        className={cx(
          'flex h-full w-7 shrink-0 items-center justify-center text-muted',
          node.show && 'hover:text-text',
        )}
        data-arrow=""
      >
        {open !== undefined && (
          <ChevronRightIcon
            className={cx('transition-transform duration-100', open && 'rotate-90')}
          />
        )}
      </span>
      {node.icon && <span className="me-2 shrink-0 text-muted">{node.icon}</span>}
      <span className="min-w-0 shrink truncate" title={hoverText(node)}>
        <SafeName text={node.label} />
      </span>
      {/* Before the marks, so that what is seen of a line is how its name begins. */}
      {node.detail && (
        <span
          className="order-2 min-w-16 shrink-[100000] truncate ps-1 pe-1 text-end text-muted text-xs"
          title={visibleText(node.detail)}
        >
          {' '}
          <SafeText text={node.detail} />
        </span>
      )}
      {node.badges && node.badges.length > 0 && <Badges badges={node.badges} />}
      <span className="order-1 min-w-2 flex-1" />
      {node.actions && <Actions active={active} actions={node.actions} />}
    </>
  )
}

/**
 * Marks that have no room wrap below the line and are not seen. The factors are so far apart that
 * marks are gone before a type is cut, and that is cut before a name.
 */
function Badges({ badges }: { badges: NonNullable<TreeNode['badges']> }) {
  return (
    <span className="flex h-[18px] min-w-0 shrink-[10000000000] flex-wrap overflow-hidden">
      {badges.map((badge) => (
        <span
          className="ms-1.5 shrink-0 whitespace-nowrap rounded-sm border border-line px-1 font-medium text-[11px] text-muted leading-4"
          key={badge.text}
          title={badge.title}
        >
          {/* Spaces keep the words apart where the text is read without its layout. */}
          {` ${badge.text}`}
        </span>
      ))}
    </span>
  )
}

type ActionsProps = { actions: NonNullable<TreeNode['actions']>; active: boolean }

/** One button has its place kept, so that nothing moves under the pointer; several would cost names. */
function Actions({ actions, active }: ActionsProps) {
  const hidden = actions.length > 1 ? 'hidden group-hover:flex' : 'invisible group-hover:visible'
  return (
    <span className={cx('order-3 shrink-0', active ? 'flex' : hidden)}>
      {actions.map((action) => (
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
  )
}

/** Everything a line says, for a pointer that rests on a name where some of it has no room. */
function hoverText({ label, detail, badges = [] }: TreeNode): string {
  const rest = [detail, ...badges.map(({ title }) => title)].filter(Boolean)
  return [visibleText(label, 'name'), ...rest.map((part) => visibleText(String(part)))].join(' · ')
}
