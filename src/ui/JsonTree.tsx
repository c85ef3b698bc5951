// biome-ignore-all lint/a11y/useFocusableInteractive: the focus stays on the tree, which names its active item.

import { type KeyboardEvent, type MouseEvent, useId, useMemo, useState } from 'react'
import { jsonDepthLimit, jsonItemHeight, jsonParseLimit, jsonVisibleRows } from '~/lib/constants'
import { type JsonKind, type JsonNode, scanJson, stringText } from '~/lib/json-scan'
import { actionOf } from '~/lib/shortcuts'
import { counted } from '~/lib/text'
import { beginning, cutText, visibleText } from '~/lib/visible-text'
import { CopyButton } from './CopyButton'
import { copyText } from './clipboard'
import { cx } from './cx'
import { ChevronRightIcon } from './Icon'
import { useLinesInSight } from './lines-in-sight'
import { SafeName, SafeText } from './SafeText'
import { type TreePlace, treeStep } from './tree/tree-rows'

type JsonTreeProps = {
  /** The JSON text; numbers, names and their order stay exactly as they are written in it. */
  text: string
  /** The accessible name. */
  label: string
}

/**
 * A JSON text as a tree; only the lines in sight are drawn. A text that is not JSON, too
 * long or too deep gets a sentence instead; it never fails.
 */
export function JsonTree({ text, label }: JsonTreeProps) {
  const scan = useMemo(() => scanJson(text), [text])
  switch (scan.kind) {
    case 'tree':
      return <Lines key={text} label={label} nodes={scan.nodes} text={text} />
    case 'invalid':
      return <p className="text-muted text-sm">This is not JSON. {scan.reason}</p>
    case 'too-large':
      return (
        <p className="text-muted text-sm">
          This is more than {jsonParseLimit / 1_048_576} MiB, too much for a tree.
        </p>
      )
    case 'too-deep':
      return (
        <p className="text-muted text-sm">
          This is nested more than {jsonDepthLimit} deep, too much for a tree.
        </p>
      )
  }
}

type LinesProps = JsonTreeProps & { nodes: readonly JsonNode[] }

function Lines({ text, label, nodes }: LinesProps) {
  const tree = useLines(nodes)
  const sight = useLinesInSight(tree.lines.length, jsonItemHeight)
  const activeId = useId()
  const active = nodes[tree.lines[tree.line]?.at ?? 0]
  const go = (line: number) => {
    tree.setLine(line)
    sight.reveal(line)
  }
  const press = (event: KeyboardEvent) => {
    const action = actionOf('json', event)
    if (action === 'copy') {
      if (!active || getSelection()?.toString()) return
      event.preventDefault()
      void copyText(copiedJson(text, active))
      return
    }
    const step = treeStep(tree.lines, tree.line, action, jsonVisibleRows - 1)
    if (!step) return
    event.preventDefault()
    if (step.kind === 'go') go(step.index)
    else tree.toggle(tree.line)
  }
  const click = ({ target }: MouseEvent) => {
    const found = target instanceof Element && target.closest('[data-line]')
    const line = found ? Number(found.getAttribute('data-line')) : -1
    if (line < 0) return
    tree.setLine(line)
    tree.toggle(line)
  }
  return (
    <div className="overflow-hidden rounded border border-line bg-page">
      <div
        aria-activedescendant={
          sight.lines.some(({ index }) => index === tree.line) ? activeId : undefined
        }
        aria-label={visibleText(label)}
        className="overflow-auto py-px font-mono text-sm outline-none -outline-offset-2 focus-visible:outline-2 focus-visible:outline-primary"
        onClick={click}
        onKeyDown={press}
        ref={sight.attach}
        role="tree"
        style={{ maxHeight: jsonItemHeight * jsonVisibleRows + 2 }}
        tabIndex={0}
      >
        <div className="relative" role="presentation" style={{ height: sight.boxHeight }}>
          {sight.lines.map(({ index, start }) => {
            const { at, open } = tree.lines[index] ?? { at: -1 }
            const node = nodes[at]
            const parent = node && nodes[node.parent]
            return (
              node && (
                <JsonLine
                  activeId={activeId}
                  isActive={index === tree.line}
                  isInArray={parent?.kind === 'array'}
                  isOpen={open}
                  key={at}
                  line={index}
                  node={node}
                  siblings={parent?.size ?? 1}
                  top={start}
                  written={node.size > 0 ? '' : text.slice(node.from, node.to)}
                />
              )
            )
          })}
        </div>
      </div>
      {active && (
        <div className="flex items-center gap-1 border-line border-t bg-panel ps-2 text-muted text-xs">
          <code translate="no" className="min-w-0 flex-1 truncate font-mono">
            <SafeText text={pathOf(nodes, tree.lines[tree.line]?.at ?? 0)} />
          </code>
          <CopyButton size="tiny" text={() => copiedJson(text, active)} what="the chosen value" />
        </div>
      )}
    </div>
  )
}

/** Which values are seen, which is chosen, and how that changes. */
function useLines(nodes: readonly JsonNode[]) {
  const [closed, setClosed] = useState(() => closedAtFirst(nodes))
  const [line, setLine] = useState(0)
  const lines = useMemo(() => visibleLines(nodes, closed), [nodes, closed])
  return {
    lines,
    line,
    setLine,
    toggle: (which: number) => {
      const index = lines[which]?.at ?? 0
      if (!nodes[index]?.size) return
      const next = new Set(closed)
      if (!next.delete(index)) next.add(index)
      setClosed(next)
    },
  }
}

type JsonLineProps = {
  node: JsonNode
  /** The value as written, for an array or object nothing. */
  written: string
  isInArray: boolean
  siblings: number
  line: number
  top: number
  /** Absent where nothing is in it. */
  isOpen: boolean | undefined
  isActive: boolean
  activeId: string
}

/** Longest stretch of a name or value that a line shows. */
const longest = 256

const tones: Readonly<Record<JsonKind, string>> = {
  object: 'text-muted',
  array: 'text-muted',
  string: 'text-string',
  number: 'text-info',
  true: 'text-warning',
  false: 'text-warning',
  null: 'text-muted',
}

/** One value; presses are handled by the tree, which finds the line by `data-line`. */
function JsonLine(props: JsonLineProps) {
  const { node, written, isInArray, siblings, line, top, isOpen, isActive, activeId } = props
  const name = isInArray ? String(node.position - 1) : beginning(node.name ?? '', longest)
  const value = summary(node, written)
  return (
    <div
      aria-expanded={isOpen}
      aria-label={visibleText(name === '' ? value : `${name}: ${value}`, 'value')}
      aria-level={node.depth + 1}
      aria-posinset={node.position}
      aria-selected={isActive}
      aria-setsize={siblings}
      className={cx(
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
        {isOpen !== undefined && <ChevronRightIcon className={isOpen ? 'rotate-90' : ''} />}
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
  return cutText(written, longest)
}

type Nodes = readonly JsonNode[]

function isContainer({ kind }: JsonNode): boolean {
  return kind === 'object' || kind === 'array'
}

/** At first the whole and its members are seen; what is in those is closed. */
function closedAtFirst(nodes: Nodes): ReadonlySet<number> {
  const closed = new Set<number>()
  nodes.forEach((node, index) => {
    if (node.depth > 0 && isContainer(node)) closed.add(index)
  })
  return closed
}

/** A value that is seen, by its index among all. */
type Line = TreePlace & { at: number }

/** The values to be seen, from top to bottom. */
function visibleLines(nodes: Nodes, closed: ReadonlySet<number>): readonly Line[] {
  const lines: Line[] = []
  const lineOf = new Map<number, number>()
  let at = 0
  for (let node = nodes[0]; node; node = nodes[at]) {
    lineOf.set(at, lines.length)
    const open = node.size > 0 ? !closed.has(at) : undefined
    lines.push({ at, open, parent: lineOf.get(node.parent) })
    at = closed.has(at) ? node.next : at + 1
  }
  return lines
}

/** How a value is addressed, such as `$.orders[2]["first name"]`. */
function pathOf(nodes: Nodes, index: number): string {
  const steps: string[] = []
  for (let node = nodes[index]; node && node.parent >= 0; node = nodes[node.parent]) {
    steps.push(stepOf(node))
  }
  return `$${steps.reverse().join('')}`
}

function stepOf({ name, position }: JsonNode): string {
  if (name === null) return `[${position - 1}]`
  const plain = name.slice(1, -1)
  return /^[A-Za-z_$][\w$]*$/.test(plain) ? `.${plain}` : `[${name}]`
}

/** What is copied of a value: the characters of a string, and the very text of all others. */
function copiedJson(text: string, node: JsonNode): string {
  const written = text.slice(node.from, node.to)
  return node.kind === 'string' ? stringText(written) : written
}
