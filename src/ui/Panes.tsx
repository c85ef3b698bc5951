import { Fragment, type ReactNode } from 'react'
import { Group, Panel, Separator } from 'react-resizable-panels'
import { cx } from './cx'

type Pane = {
  id: string
  /** Names the handle that resizes this pane and the next one. */
  label: string
  /** Percent of the group. */
  size: number
  /** Percent, or pixels with their unit; 10 percent unless told otherwise. */
  min?: number | `${number}px`
  content: ReactNode
}

export type PanesProps = {
  direction: 'horizontal' | 'vertical'
  panes: readonly Pane[]
  /** Percent by pane id, once after the user let go; never for a layout that the console set. */
  onResized?: (sizes: Record<string, number>) => void
}

/** Panes side by side or stacked, resized by pointer or by arrow keys on the handle between them. */
export function Panes({ direction, panes, onResized }: PanesProps) {
  return (
    <Group
      className="h-full w-full"
      onLayoutChanged={(layout, meta) => {
        if (meta.isUserInteraction) onResized?.(roundSizes(meta.requestedLayout ?? layout))
      }}
      orientation={direction}
      resizeTargetMinimumSize={{ coarse: 24, fine: 8 }}
    >
      {panes.map((pane, index) => (
        <Fragment key={pane.id}>
          {index > 0 && (
            <Handle direction={direction} label={`Resize ${panes[index - 1]?.label ?? ''}`} />
          )}
          {/* A number would mean pixels. */}
          <Panel defaultSize={`${pane.size}%`} id={pane.id} minSize={minSizeOf(pane)}>
            {pane.content}
          </Panel>
        </Fragment>
      ))}
    </Group>
  )
}

function minSizeOf({ min = 10 }: Pane): string {
  return typeof min === 'number' ? `${min}%` : min
}

/** One pixel wide in the layout; a transparent overlap makes it eight for the pointer. */
function Handle({ direction, label }: { direction: PanesProps['direction']; label: string }) {
  return (
    <Separator
      aria-label={label}
      className={cx(
        'relative z-sticky bg-line outline-none fades after:absolute after:content-[""]',
        'data-[separator=active]:bg-primary data-[separator=hover]:bg-field focus-visible:bg-primary',
        'focus-visible:outline-2 focus-visible:outline-primary focus-visible:outline-offset-0',
        direction === 'horizontal'
          ? 'w-px after:-inset-x-[3.5px] after:inset-y-0'
          : 'h-px after:-inset-y-[3.5px] after:inset-x-0',
      )}
    />
  )
}

function roundSizes(sizes: Record<string, number>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(sizes).map(([id, percent]) => [id, Math.round(percent * 100) / 100]),
  )
}
