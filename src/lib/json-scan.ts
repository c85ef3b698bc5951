import { jsonDepthLimit, jsonParseLimit } from './constants'

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'true' | 'false' | 'null'

/** What ends an array or object. */
const closers: Readonly<Partial<Record<JsonKind, string>>> = { object: '}', array: ']' }

const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const words = ['true', 'false', 'null'] as const
const escaped = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/** Where the number that starts here ends; -1 when none starts here. */
function numberEnd(text: string, at: number): number {
  number.lastIndex = at
  return number.test(text) ? number.lastIndex : -1
}

/** The word that starts here, and where it ends. */
function wordEnd(text: string, at: number): { kind: JsonKind; end: number } | null {
  const kind = words.find((word) => text.startsWith(word, at))
  return kind ? { kind, end: at + kind.length } : null
}

/** Where the string that starts here ends, its quotes included; -1 when none does. */
function stringEnd(text: string, start: number): number {
  if (text[start] !== '"') return -1
  let at = start + 1
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === 0x22) return at + 1
    if (code < 0x20) return -1
    if (code !== 0x5c) at += 1
    else {
      escaped.lastIndex = at
      if (!escaped.test(text)) return -1
      at = escaped.lastIndex
    }
  }
  return -1
}

/** The characters of a string literal that `stringEnd` accepted. */
export function stringText(literal: string): string {
  const text: unknown = JSON.parse(literal)
  return typeof text === 'string' ? text : literal
}

/**
 * A value in a JSON text. The screen shows and copies the original text, never JavaScript's own
 * numbers and strings, so no digit, repeated name or order is lost.
 */
export type JsonNode = {
  kind: JsonKind
  /** Its name in an object as written, quotes included; null in an array and for the whole. */
  name: string | null
  /** Place among its siblings, from one. */
  position: number
  /** Index of the array or object around it; -1 for the whole. */
  parent: number
  depth: number
  /** Place in the text. */
  from: number
  to: number
  /** Number of its own members. */
  size: number
  /** Index of the first node after it and everything in it. */
  next: number
}

export type JsonScan =
  | { kind: 'tree'; nodes: readonly JsonNode[] }
  | { kind: 'invalid'; reason: string }
  | { kind: 'too-large' }
  | { kind: 'too-deep' }

type Limits = { length: number; depth: number }

/** Reads a JSON text into its values, in the order of the text; never recurses, never throws. */
export function scanJson(
  text: string,
  limits: Limits = { length: jsonParseLimit, depth: jsonDepthLimit },
): JsonScan {
  if (text.length > limits.length) return { kind: 'too-large' }
  return new Scanner(text, limits.depth).scan()
}

/** What may come next: a value, a value or the end, a name or the end, a name, a comma or the end. */
type Expected = 'value' | 'value or end' | 'name or end' | 'name' | 'comma or end'

class Scanner {
  readonly #text: string
  readonly #depthLimit: number
  readonly #nodes: JsonNode[] = []
  #at = 0
  /** Index of the innermost open array or object. */
  #open = -1
  #expected: Expected = 'value'
  #name: JsonNode['name'] = null

  constructor(text: string, depthLimit: number) {
    this.#text = text
    this.#depthLimit = depthLimit
  }

  scan(): JsonScan {
    for (;;) {
      this.#skipSpace()
      if (this.#isWhole()) break
      const problem = this.#step()
      if (problem) return problem
    }
    if (this.#at < this.#text.length) return this.#invalid('the end')
    return { kind: 'tree', nodes: this.#nodes }
  }

  #isWhole(): boolean {
    return this.#open < 0 && this.#nodes.length > 0
  }

  #step(): JsonScan | null {
    const character = this.#text[this.#at] ?? ''
    const around = this.#nodes[this.#open]
    const mayEnd = this.#expected !== 'value' && this.#expected !== 'name'
    if (mayEnd && around && character === closers[around.kind]) return this.#close(around)
    if (this.#expected === 'comma or end') {
      if (character !== ',') return this.#invalid(`a comma or ${around && closers[around.kind]}`)
      this.#at += 1
      this.#expected = around?.kind === 'object' ? 'name' : 'value'
      return null
    }
    if (this.#expected === 'name' || this.#expected === 'name or end') return this.#readName()
    return this.#readValue(character)
  }

  #readName(): JsonScan | null {
    const end = stringEnd(this.#text, this.#at)
    if (end < 0) return this.#invalid('a name in double quotes')
    this.#name = this.#text.slice(this.#at, end)
    this.#at = end
    this.#skipSpace()
    if (this.#text[this.#at] !== ':') return this.#invalid('a colon')
    this.#at += 1
    this.#expected = 'value'
    return null
  }

  #readValue(character: string): JsonScan | null {
    if (character === '{') return this.#openNode('object')
    if (character === '[') return this.#openNode('array')
    if (character === '"') return this.#leaf('string', stringEnd(this.#text, this.#at))
    const number = numberEnd(this.#text, this.#at)
    if (number >= 0) return this.#leaf('number', number)
    const word = wordEnd(this.#text, this.#at)
    return word ? this.#leaf(word.kind, word.end) : this.#invalid('a value')
  }

  #openNode(kind: 'object' | 'array'): JsonScan | null {
    if ((this.#nodes[this.#open]?.depth ?? -1) + 1 >= this.#depthLimit) return { kind: 'too-deep' }
    this.#open = this.#add(kind, this.#at + 1)
    this.#at += 1
    this.#expected = kind === 'object' ? 'name or end' : 'value or end'
    return null
  }

  #leaf(kind: JsonKind, end: number): JsonScan | null {
    if (end < 0) return this.#invalid('a complete string')
    this.#add(kind, end)
    this.#at = end
    this.#expected = 'comma or end'
    return null
  }

  #close(node: JsonNode): null {
    this.#at += 1
    node.to = this.#at
    node.next = this.#nodes.length
    this.#open = node.parent
    this.#expected = 'comma or end'
    return null
  }

  #add(kind: JsonKind, to: number): number {
    const around = this.#nodes[this.#open]
    const index = this.#nodes.length
    this.#nodes.push({
      kind,
      name: this.#name,
      position: around ? around.size + 1 : 1,
      parent: this.#open,
      depth: around ? around.depth + 1 : 0,
      from: this.#at,
      to,
      size: 0,
      next: index + 1,
    })
    if (around) around.size += 1
    this.#name = null
    return index
  }

  #skipSpace(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
      this.#at += 1
    }
  }

  #invalid(wanted: string): JsonScan {
    const before = this.#text.slice(0, this.#at).split('\n')
    const column = (before.at(-1)?.length ?? 0) + 1
    const where = `Line ${before.length}, column ${column}`
    return { kind: 'invalid', reason: `${where}: ${wanted} was expected.` }
  }
}
