import { type KeyboardEvent, type MouseEvent, useId, useMemo, useState } from 'react'
import { jsonDepthLimit, jsonItemHeight, jsonParseLimit, jsonVisibleRows } from '~/lib/constants'
import { type JsonNode, scanJson } from '~/lib/json-scan'
import { actionOf } from '~/lib/shortcuts'
import { visibleText } from '~/lib/visible-text'
import { CopyButton } from '~/ui/CopyButton'
import { copyText } from '~/ui/clipboard'
import { JsonLine } from '~/ui/json/JsonLine'
import { closedAtFirst, copiedJson, jsonStep, pathOf, visibleLines } from '~/ui/json/lines'
import { SafeText } from '~/ui/SafeText'
import { revealRow, rowsInSight } from '~/ui/tree/sight'
import { useSight } from '~/ui/tree/use-sight'

type JsonTreeProps = {
  /** The JSON text; numbers, names and their order stay exactly as they are written in it. */
  text: string
  /** The accessible name. */
  label: string
}

/**
 * A JSON text as a tree of which only the lines in sight are drawn. A text that is not JSON, too
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
  const { sight, attach } = useSight()
  const activeId = useId()
  const active = nodes[tree.lines[tree.line] ?? 0]
  const go = (line: number) => {
    tree.setLine(line)
    revealRow(sight.box(), line * jsonItemHeight, jsonItemHeight)
  }
  const press = (event: KeyboardEvent) => {
    const action = actionOf('json', event)
    if (action === 'copy') {
      if (!active || getSelection()?.toString()) return
      event.preventDefault()
      void copyText(copiedJson(text, active))
      return
    }
    const step = jsonStep(action, { nodes, ...tree, page: jsonVisibleRows - 1 })
    if (!step) return
    event.preventDefault()
    if (step.kind === 'go') go(step.line)
    else tree.toggle(tree.line)
  }
  const click = ({ target }: MouseEvent) => {
    const found = target instanceof Element && target.closest('[data-line]')
    const line = found ? Number(found.getAttribute('data-line')) : -1
    if (line < 0) return
    tree.setLine(line)
    tree.toggle(line)
  }
  const seen = rowsInSight(sight, tree.lines.length, jsonItemHeight)
  return (
    <div className="overflow-hidden rounded border border-line bg-page">
      <div
        aria-activedescendant={seen.some(({ index }) => index === tree.line) ? activeId : undefined}
        aria-label={visibleText(label)}
        className="overflow-auto py-px font-mono text-sm outline-none -outline-offset-2 focus-visible:outline-2 focus-visible:outline-primary"
        onClick={click}
        onKeyDown={press}
        ref={attach}
        role="tree"
        style={{ maxHeight: jsonItemHeight * jsonVisibleRows + 2 }}
        tabIndex={0}
      >
        <div
          className="relative"
          role="presentation"
          style={{ height: tree.lines.length * jsonItemHeight }}
        >
          {seen.map(({ index, start }) => {
            const at = tree.lines[index] ?? 0
            const node = nodes[at]
            const parent = node && nodes[node.parent]
            return (
              node && (
                <JsonLine
                  activeId={activeId}
                  isActive={index === tree.line}
                  isInArray={parent?.kind === 'array'}
                  isOpen={!tree.closed.has(at)}
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
          <code className="min-w-0 flex-1 truncate font-mono">
            <SafeText text={pathOf(nodes, tree.lines[tree.line] ?? 0)} />
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
  const at = lines[line] ?? 0
  return {
    closed,
    lines,
    line,
    setLine,
    isOpen: !closed.has(at),
    toggle: (which: number) => {
      const index = lines[which] ?? 0
      if (!nodes[index]?.size) return
      const next = new Set(closed)
      if (!next.delete(index)) next.add(index)
      setClosed(next)
    },
  }
}
