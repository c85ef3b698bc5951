// biome-ignore-all lint/a11y/useFocusableInteractive: the focus stays on the tree, which names its active item.
import { jsonItemHeight } from '~/lib/constants'
import type { JsonNode } from '~/lib/json-scan'
import type { JsonKind } from '~/lib/json-tokens'
import { counted } from '~/lib/text'
import { beginning, visibleText } from '~/lib/visible-text'
import { ChevronRightIcon } from '~/ui/Icon'
import { join } from '~/ui/join'
import { SafeName } from '~/ui/SafeName'
import { SafeText } from '~/ui/SafeText'

type JsonLineProps = {
  node: JsonNode
  /** The value as written, for an array or object nothing. */
  written: string
  isInArray: boolean
  siblings: number
  line: number
  top: number
  isOpen: boolean
  isActive: boolean
  activeId: string
}

/** Longest stretch of a name or value that a line shows. */
const longest = 256

const tones: Readonly<Record<JsonKind, string>> = {
  object: 'text-muted',
  array: 'text-muted',
  string: 'text-success',
  number: 'text-info',
  true: 'text-warning',
  false: 'text-warning',
  null: 'text-muted',
}

/** One value; presses are handled by the tree, which finds the line by `data-line`. */
export function JsonLine(props: JsonLineProps) {
  const { node, written, isInArray, siblings, line, top, isOpen, isActive, activeId } = props
  const mayToggle = node.size > 0
  const name = isInArray ? String(node.position - 1) : beginning(node.name ?? '', longest)
  const value = summary(node, written)
  return (
    <div
      aria-expanded={mayToggle ? isOpen : undefined}
      aria-label={visibleText(name === '' ? value : `${name}: ${value}`, 'value')}
      aria-level={node.depth + 1}
      aria-posinset={node.position}
      aria-selected={isActive}
      aria-setsize={siblings}
      className={join(
        'absolute top-0 left-0 flex w-full min-w-max cursor-default items-center pe-2 hover:bg-hover',
        isActive && 'bg-selected',
      )}
      data-active={isActive || undefined}
      data-line={line}
      id={isActive ? activeId : undefined}
      role="treeitem"
      style={{
        height: jsonItemHeight,
        transform: `translateY(${top}px)`,
        paddingInlineStart: node.depth * 16,
      }}
    >
      <span className="flex w-5 shrink-0 justify-center text-muted">
        {mayToggle && <ChevronRightIcon className={isOpen ? 'rotate-90' : ''} />}
      </span>
      <span className="whitespace-pre">
        {name !== '' && (
          <span className={isInArray ? 'text-muted' : undefined}>
            {isInArray ? name : <SafeName text={name} />}
            <span className="text-muted">: </span>
          </span>
        )}
        <span className={tones[node.kind]}>
          <SafeText text={value} value />
        </span>
      </span>
    </div>
  )
}

function summary({ kind, size }: JsonNode, written: string): string {
  if (kind === 'object') return size === 0 ? '{}' : `{ ${counted(size, 'member')} }`
  if (kind === 'array') return size === 0 ? '[]' : `[ ${counted(size, 'item')} ]`
  return written.length > longest ? `${beginning(written, longest)}…` : written
}
