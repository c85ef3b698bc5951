import type { JsonNode } from '~/lib/json-scan'
import { stringText } from '~/lib/json-tokens'
import type { Action } from '~/lib/shortcuts'

type Nodes = readonly JsonNode[]

export function isContainer({ kind }: JsonNode): boolean {
  return kind === 'object' || kind === 'array'
}

/** At first the whole and its members are seen; what is in those is closed. */
export function closedAtFirst(nodes: Nodes): ReadonlySet<number> {
  const closed = new Set<number>()
  nodes.forEach((node, index) => {
    if (node.depth > 0 && isContainer(node)) closed.add(index)
  })
  return closed
}

/** The indexes of the values to be seen, from top to bottom. */
export function visibleLines(nodes: Nodes, closed: ReadonlySet<number>): readonly number[] {
  const lines: number[] = []
  let at = 0
  for (let node = nodes[0]; node; node = nodes[at]) {
    lines.push(at)
    at = closed.has(at) ? node.next : at + 1
  }
  return lines
}

/** How a value is addressed, such as `$.orders[2]["first name"]`. */
export function pathOf(nodes: Nodes, index: number): string {
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
export function copiedJson(text: string, node: JsonNode): string {
  const written = text.slice(node.from, node.to)
  return node.kind === 'string' ? stringText(written) : written
}

export type JsonStep = { kind: 'go'; line: number } | { kind: 'toggle' }

type Place = { nodes: Nodes; lines: readonly number[]; line: number; isOpen: boolean; page: number }

/** What a key does on a line, by the ARIA tree pattern; undefined when it does nothing. */
export function jsonStep(action: Action<'json'> | undefined, place: Place): JsonStep | undefined {
  const { nodes, lines, line, isOpen, page } = place
  const node = nodes[lines[line] ?? -1]
  if (!node) return undefined
  const go = (to: number): JsonStep => ({
    kind: 'go',
    line: Math.min(lines.length - 1, Math.max(0, to)),
  })
  const mayToggle = isContainer(node) && node.size > 0
  switch (action) {
    case 'down':
      return go(line + 1)
    case 'up':
      return go(line - 1)
    case 'pageDown':
      return go(line + page)
    case 'pageUp':
      return go(line - page)
    case 'first':
      return go(0)
    case 'last':
      return go(lines.length - 1)
    case 'open':
      if (!mayToggle) return undefined
      return isOpen ? go(line + 1) : { kind: 'toggle' }
    case 'close':
      if (mayToggle && isOpen) return { kind: 'toggle' }
      return node.parent < 0 ? undefined : go(lines.indexOf(node.parent))
    case 'toggle':
      return mayToggle ? { kind: 'toggle' } : undefined
    default:
      return undefined
  }
}
