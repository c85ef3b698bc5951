const far = '7301'

/** What a leaf is, so that a sample has one of each. */
export type LeafKind =
  | 'value'
  | 'name'
  | 'type'
  | 'time'
  | 'expiry'
  | 'revision'
  | 'author'
  | 'tx'
  | 'reference'
  | 'score'
  | 'number of entries'
  | 'hash'
  | 'presence'

/** One way to alter one leaf of a text. */
export type Alteration = {
  /** Where and how, the same in every answer of this shape. */
  readonly id: string
  readonly kind: LeafKind
  /** The names on the way to the leaf, innermost last. */
  readonly names: readonly string[]
  /** What was there, and what is there instead, as a person would read it. */
  readonly was: string
  readonly becomes: string
  /** Which part of the text it replaces, and by what. */
  readonly start: number
  readonly end: number
  readonly replaced: string
}

/** Further wrong texts for a leaf that reads like this, such as another spelling of its bytes. */
export type Spellings = Readonly<Record<string, readonly string[]>>

type Node = {
  readonly type: 'string' | 'number' | 'word' | 'object' | 'array' | 'key'
  readonly path: readonly string[]
  readonly start: number
  readonly end: number
  /** Beginnings and ends of the entries of an array or object. */
  readonly items: readonly (readonly [number, number])[]
}

/**
 * All ways to alter one leaf of JSON, one at a time; every other byte stays, so that a number that
 * JavaScript cannot hold is not changed by the way. Keys and values in base64 are looked into, and so
 * is JSON inside of texts.
 */
export function alterationsOf(text: string, spellings: Spellings = {}): readonly Alteration[] {
  return alterations(text, [], spellings)
}

function alterations(
  text: string,
  below: readonly string[],
  spellings: Spellings = {},
): readonly Alteration[] {
  const nodes = scan(text, below)
  if (nodes.length === 0) return []
  const all = nodes.flatMap((node) => ofNode(text, node, spellings))
  const seen = new Set<string>()
  return all.filter(({ id, start, end, replaced }) => {
    const isNew = text.slice(start, end) !== replaced && !seen.has(id)
    seen.add(id)
    return isNew
  })
}

/** The text with the alterations of these names, as far as it has such leaves and none is in another. */
export function altered(text: string, ids: ReadonlySet<string>, spellings: Spellings = {}): string {
  const chosen = alterationsOf(text, spellings).filter(({ id }) => ids.has(id))
  const backwards = chosen.toSorted((one, other) => other.start - one.start || other.end - one.end)
  let [result, from] = [text, Number.POSITIVE_INFINITY]
  for (const { start, end, replaced } of backwards) {
    if (end > from) continue
    result = result.slice(0, start) + replaced + result.slice(end)
    from = start
  }
  return result
}

const applied = (text: string, { start, end, replaced }: Alteration) =>
  text.slice(0, start) + replaced + text.slice(end)

function ofNode(text: string, node: Node, spellings: Spellings): Alteration[] {
  const { path, start, end } = node
  const raw = text.slice(start, end)
  const put = (
    how: string,
    was: string,
    becomes: string,
    replaced: string,
    kind = kindOf(path),
    [from, to] = [start, end] as readonly [number, number],
  ) => ({
    id: `${path.join('.')} ${how}`,
    kind,
    names: path,
    was,
    becomes,
    start: from,
    end: to,
    replaced,
  })
  switch (node.type) {
    case 'string':
      return ofString(parsed(raw), path, spellings, put)
    case 'number': {
      const more = otherNumber(raw, path)
      return [
        put('other', raw, more, more),
        // A number that stands nowhere else, to be found on a screen that is another one each time.
        ...(kindOf(path) === 'number of entries' ? [put('far', raw, far, far)] : []),
        ...(isContent(path) ? [put('as text', raw, `"${raw}"`, `"${raw}"`, 'type')] : []),
        ...(spellings[raw] ?? []).map((one) => put(`as ${one}`, raw, one, one)),
      ]
    }
    case 'word':
      if (raw === 'null') return [put('not null', 'null', '"lie"', '"lie"')]
      return [
        put('other', raw, raw === 'true' ? 'false' : 'true', raw === 'true' ? 'false' : 'true'),
      ]
    case 'key': {
      if (!isContent(path)) return []
      const name = parsed(raw)
      const other = otherText(name)
      return [put('renamed', name, other, JSON.stringify(other), 'name')]
    }
    case 'array':
      return ofArray(text, node, put)
    case 'object':
      return ofObject(text, node, put)
  }
}

type Put = (
  how: string,
  was: string,
  becomes: string,
  replaced: string,
  kind?: LeafKind,
  /** Where it is, if not in the place of the whole. */
  at?: readonly [number, number],
) => Alteration

/**
 * Whether what is below these names is somebody's content and not a field of the interface, whose
 * answer would only be malformed under another name or with a text in the place of a number.
 */
function isContent(path: readonly string[]): boolean {
  return path.includes(inJson) || path.slice(0, -1).includes('document')
}

/** Stands among the names where JSON begins in a text. */
const inJson = '(JSON)'

function ofString(value: string, path: readonly string[], spellings: Spellings, put: Put) {
  const quoted = (how: string, becomes: string, kind?: LeafKind) =>
    put(how, value, becomes, JSON.stringify(becomes), kind)
  const found: Alteration[] = (spellings[value] ?? []).map((one) => quoted(`as ${one}`, one))
  if (value === '') return [...found, quoted('other', 'lie')]
  if (isNumber(value)) return [...found, quoted('other', otherNumber(value, path))]
  const inStatement = literals(value, quoted)
  if (inStatement.length > 0) return [...found, ...inStatement]
  found.push(...nested(value, path, quoted))
  const bytes = bytesOf(value)
  if (bytes === null) return [...found, quoted('other', otherText(value))]
  const read = bytes.toString()
  const isText = Buffer.from(read).equals(bytes) && !/[^\P{Cc}\s]/u.test(read)
  const other = Buffer.from(bytes)
  // The last byte but not its highest bit, so that a text stays one.
  if (isText) other.set([lastOther(bytes)], bytes.length - 1)
  else other.set([(bytes.at(-1) ?? 0) ^ 1], bytes.length - 1)
  const shown = isText ? read : value
  found.push(
    put(
      'other bytes',
      shown,
      isText ? other.toString() : other.toString('base64'),
      `"${other.toString('base64')}"`,
    ),
  )
  if (isText) {
    const again = (how: string, becomes: string, kind?: LeafKind) =>
      put(how, read, becomes, `"${Buffer.from(becomes).toString('base64')}"`, kind)
    found.push(...nested(read, path, again))
    for (const one of spellings[read] ?? []) found.push(again(`as ${one}`, one))
  } else found.push(...runs(bytes, put))
  // It may be a plain text that only looks like base64.
  found.push(quoted('other', otherText(value)))
  return found
}

/** Each part of bytes that are no text as a whole: a cell of a stored row, a score in a key. */
function runs(bytes: Buffer, put: Put): Alteration[] {
  return [...bytes.toString('latin1').matchAll(/[\w .:,-]{3,}|[^ -~]{2,}/g)].map((found) => {
    const { 0: run, index } = found
    const isText = /^[ -~]/.test(run)
    const other = Buffer.from(bytes)
    if (isText) other.write(otherText(run), index, 'latin1')
    else other.set([(bytes[index] ?? 0) ^ 1], index)
    const read = (of: Buffer) => {
      const part = of.subarray(index, index + run.length)
      return isText ? part.toString('latin1') : `0x${part.toString('hex')} `
    }
    const how = isText ? 'part' : 'bytes'
    return put(`${how} at ${index}`, read(bytes), read(other), `"${other.toString('base64')}"`)
  })
}

function lastOther(bytes: Buffer): number {
  const last = bytes.at(-1) ?? 0
  if (last >= 0x80) return last ^ 1
  return otherCharacter(String.fromCharCode(last)).charCodeAt(0)
}

/** JSON in a text. */
function nested(
  text: string,
  path: readonly string[],
  put: (how: string, becomes: string, kind?: LeafKind) => Alteration,
): Alteration[] {
  if (!/^\s*[[{]/.test(text)) return []
  return alterations(text, [inJson]).map((inner) => ({
    ...put(`in it: ${inner.id}`, applied(text, inner), inner.kind),
    names: [...path, ...inner.names],
    was: inner.was,
    becomes: inner.becomes,
  }))
}

/**
 * Numbers, texts and names in a statement of SQL that writes. The console writes names in small letters
 * and words of the language in capitals.
 */
function literals(
  text: string,
  put: (how: string, becomes: string, kind?: LeafKind) => Alteration,
): Alteration[] {
  if (!/^\s*(INSERT|UPSERT|UPDATE|DELETE|CREATE|ALTER|DROP|BEGIN)\b/i.test(text)) return []
  const found: Alteration[] = []
  const parts = /'((?:[^']|'')*)'|(?<![\w@$])\d+(?:\.\d+)?\b|(?<![\w@$])[a-z_][a-z0-9_]*\b/g
  for (const match of text.matchAll(parts)) {
    const [whole, inner] = match
    const isName = /^[a-z_]/.test(whole)
    const quotedText = inner === '' ? "'lie'" : `'${otherText(inner ?? '')}'`
    const plain = isName ? otherText(whole) : otherNumber(whole, [])
    const other = inner === undefined ? plain : quotedText
    const becomes = text.slice(0, match.index) + other + text.slice(match.index + whole.length)
    const kind = isName ? 'name' : 'value'
    found.push({
      ...put(`part ${found.length}`, becomes, kind),
      was: whole,
      becomes: other,
    })
  }
  return found
}

function ofArray(text: string, { items, path }: Node, put: Put): Alteration[] {
  const kind = 'presence'
  return items.flatMap(([start, end], at) => {
    const part = text.slice(start, end)
    const [before, next] = [items[at - 1], items[at + 1]]
    const following = next && text.slice(...next)
    const gap = before ? [before[1], end] : next ? [start, next[0]] : [start, end]
    const name = `${path.at(-1) ?? 'entry'} ${at}`
    return [
      put(`without ${at}`, name, 'left out', '', kind, gap as [number, number]),
      put(`${at} twice`, name, 'twice', `${part},${part}`, kind, [start, end]),
      ...(next && following !== part
        ? [
            put(`${at} exchanged`, name, 'exchanged with the next', `${following},${part}`, kind, [
              start,
              next[1],
            ]),
          ]
        : []),
    ]
  })
}

/** Fields that a server leaves out where they say nothing. */
const optional: readonly (readonly [needs: RegExp, field: string])[] = [
  [/^(?=.*"key")(?=.*"tx")(?=.*"value")/s, '"metadata":{"expiration":{"expiresAt":"4000000000"}}'],
  [/^(?=.*"key")(?=.*"tx")/s, '"metadata":{"deleted":true}'],
  [/^(?=.*"key")(?=.*"tx")/s, '"expired":true'],
  // Of a file of evidence.
  [/^(?=.*"trusted")(?=.*"db")(?!.*"request")/s, '"readFrom":"1","readTo":"9999"'],
]

function ofObject(text: string, { start, end, items }: Node, put: Put): Alteration[] {
  const raw = text.slice(start, end)
  const [only] = items
  const field = only && items.length === 1 ? text.slice(...only) : ''
  const typed = /^"(n|s|f|ts|b|bs)"\s*:\s*(.*)$/s.exec(field)
  if (typed) {
    const other = typed[1] === 's' ? '{"n":"7"}' : '{"s":"lie"}'
    return [
      put('null', typed[2] ?? '', 'NULL', '{"null":null}', 'value'),
      put('of another type', typed[2] ?? '', other, other, 'type'),
    ]
  }
  if (/^"null"/.test(field)) return [put('a value', 'NULL', 'lie', '{"s":"lie"}', 'value')]
  return optional
    .filter(([needs, more]) => needs.test(raw) && !raw.includes(more.split(':')[0] ?? ''))
    .map(([, more]) =>
      put(`with ${more}`, 'nothing', more, `${raw.slice(0, -1)},${more}}`, 'expiry'),
    )
}

const kinds: readonly (readonly [RegExp, LeafKind])[] = [
  [/expir/i, 'expiry'],
  [/referenced|reference|atTx$/i, 'reference'],
  [/revision|_rev/i, 'revision'],
  [/score/i, 'score'],
  [/username|author|^user/i, 'author'],
  [/nentries|updatedRows|^count$/i, 'number of entries'],
  [/^ts$|time|date/i, 'time'],
  [/hash|alh|root|^eH$/i, 'hash'],
  [/^tx$|txid|transactionid|^id$/i, 'tx'],
  [/^name$|table|column|field|^collection/i, 'name'],
  [/^type$/i, 'type'],
]

/** By the names on the way, the innermost first; what has none of these is a value. */
function kindOf(path: readonly string[]): LeafKind {
  const name = path.filter((part) => !/^\d+$/.test(part)).at(-1) ?? ''
  // A time in a cell of SQL is a value.
  if (name === 'ts' && path.includes('values')) return 'value'
  return kinds.find(([words]) => words.test(name))?.[1] ?? 'value'
}

function isNumber(text: string): boolean {
  return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text)
}

const dayOf = { seconds: 86_400n, milliseconds: 86_400_000n, microseconds: 86_400_000_000n }

/** Another number: another day where it may be a time, else another last digit. */
function otherNumber(text: string, path: readonly string[]): string {
  const name = path.at(-1) ?? ''
  if (/^-?\d+$/.test(text) && /ts|time|expiresAt/i.test(name)) {
    const { length } = text.replace('-', '')
    const unit = length >= 15 ? 'microseconds' : length >= 12 ? 'milliseconds' : 'seconds'
    return String(BigInt(text) - dayOf[unit])
  }
  const at = text.search(/\d(?=\D*$)/)
  const mantissa = /^-?\d+(\.\d+)?/.exec(text)?.[0].length ?? text.length
  const place = /[eE]/.test(text) ? mantissa - 1 : at
  const digit = text[place] === '9' ? '8' : String(Number(text[place]) + 1)
  return text.slice(0, place) + digit + text.slice(place + 1)
}

function otherText(text: string): string {
  const all = [...text]
  const last = all.pop() ?? ''
  return all.join('') + otherCharacter(last)
}

function otherCharacter(one: string): string {
  if (/[a-yA-Y0-8]/.test(one)) return String.fromCharCode(one.charCodeAt(0) + 1)
  return one === 'z' ? 'y' : one === 'Z' ? 'Y' : one === '9' ? '8' : 'x'
}

/** What the text is base64 of; null where it is not. */
function bytesOf(text: string): Buffer | null {
  if (text.length < 4 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return null
  const bytes = Buffer.from(text, 'base64')
  return bytes.length > 0 && bytes.toString('base64') === text ? bytes : null
}

function parsed(raw: string): string {
  try {
    return JSON.parse(raw)
  } catch {
    return raw.slice(1, -1)
  }
}

/** Every node of a JSON text with its place; none where it is not JSON. */
function scan(text: string, below: readonly string[]): readonly Node[] {
  const nodes: Node[] = []
  let at = 0
  const blank = () => {
    while (/\s/.test(text[at] ?? '')) at += 1
  }
  const token = (pattern: RegExp): number => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (!found) throw new Error('not JSON')
    return at + found[0].length
  }
  const leaf = (type: Node['type'], pattern: RegExp, path: readonly string[]) => {
    const end = token(pattern)
    nodes.push({ type, path, start: at, end, items: [] })
    at = end
  }
  const list = (type: 'array' | 'object', path: readonly string[]) => {
    const start = at
    const items: [number, number][] = []
    const close = type === 'array' ? ']' : '}'
    at += 1
    blank()
    while (text[at] !== close) {
      const from = at
      if (type === 'object') {
        const end = token(strings)
        const name = parsed(text.slice(at, end))
        nodes.push({ type: 'key', path: [...path, name], start: at, end, items: [] })
        at = end
        blank()
        at += 1
        value([...path, name])
      } else value([...path, String(items.length)])
      items.push([from, at])
      blank()
      if (text[at] === ',') at += 1
      else if (text[at] !== close) throw new Error('not JSON')
      blank()
    }
    at += 1
    nodes.push({ type, path, start, end: at, items })
  }
  const value = (path: readonly string[]) => {
    blank()
    const first = text[at] ?? ''
    if (first === '{') list('object', path)
    else if (first === '[') list('array', path)
    else if (first === '"') leaf('string', strings, path)
    else if (/[-\d]/.test(first)) leaf('number', numbers, path)
    else leaf('word', words, path)
  }
  try {
    // Some answers are a line of JSON for each part.
    for (let line = 0; text.slice(at).trim() !== ''; line += 1)
      value(line === 0 ? below : [`line ${line}`])
    return nodes
  } catch {
    return []
  }
}

const strings = /"(?:[^"\\]|\\.)*"/gy
const numbers = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gy
const words = /true|false|null/gy
