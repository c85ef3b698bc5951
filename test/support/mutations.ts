/** One change of a JSON value, made on a copy. */
export type Mutation = { path: string; how: string; apply: () => unknown }

/** Numbers from 0 to 1 that a seed decides. Mulberry32. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Some of the items, each at most once, in a random order. */
export function sample<T>(items: readonly T[], count: number, random: () => number): T[] {
  const left = [...items]
  for (let at = 0; at < Math.min(count, left.length); at += 1) {
    const other = at + Math.floor(random() * (left.length - at))
    const [one, two] = [left[at], left[other]]
    if (one !== undefined && two !== undefined) [left[at], left[other]] = [two, one]
  }
  return left.slice(0, count)
}

export type Path = readonly (string | number)[]

const zeros = Buffer.alloc(32).toString('base64')

/** Fields that answers may have somewhere, put where they are not. */
const surplus: readonly (readonly [string, unknown])[] = [
  ['unheardOf', 'x'],
  ['kvEntries', [{ tx: '1', key: 'YQ==', value: 'ZXZpbA==' }]],
  ['zEntries', [{ set: 'YQ==' }]],
  ['entries', [{ key: 'AGE=', hValue: zeros }]],
  ['metadata', { deleted: true }],
  ['metadata', { nonIndexable: true }],
  ['metadata', { expiration: {} }],
  ['metadata', { extra: 'eA==' }],
  ['metadata', { truncatedTxID: '1' }],
  ['metadata', {}],
  ['value', 'ZXZpbA=='],
  ['referencedBy', { tx: '1', key: 'YQ==' }],
  ['expired', true],
  ['revision', '7'],
  ['atTx', '1'],
  ['terms', [zeros]],
  ['inclusionProof', [zeros]],
  ['consistencyProof', [zeros]],
  ['lastInclusionProof', [zeros]],
  ['LinearAdvanceProof', { linearProofTerms: [zeros] }],
  ['linearProof', { sourceTxId: '1', TargetTxId: '1', terms: [zeros] }],
  ['blTxId', '1'],
  ['leaf', 1],
  ['version', 1],
  ['proof', {}],
  ['__proto__', { deleted: true }],
]

/** Every change that this file knows, for every leaf, list and object in a JSON value. */
export function mutationsOf(whole: unknown): Mutation[] {
  const found: Mutation[] = []
  const visit = (value: unknown, path: Path) => {
    for (const [how, other] of othersOf(value)) {
      if (areEqual(value, other)) continue
      found.push({ path: path.join('.'), how, apply: () => replaced(whole, path, other) })
    }
    if (path.length > 0) {
      found.push({ path: path.join('.'), how: 'removed', apply: () => removed(whole, path) })
    }
    if (typeof value !== 'object' || value === null) return
    for (const [name, child] of Object.entries(value)) {
      visit(child, [...path, Array.isArray(value) ? Number(name) : name])
    }
  }
  visit(whole, [])
  return found
}

/** Where every leaf, list and object of a JSON value is. */
export function placesOf(whole: unknown): Path[] {
  const found: Path[] = []
  const visit = (value: unknown, path: Path) => {
    found.push(path)
    if (typeof value !== 'object' || value === null) return
    for (const [name, child] of Object.entries(value)) {
      visit(child, [...path, Array.isArray(value) ? Number(name) : name])
    }
  }
  visit(whole, [])
  return found
}

/** One of the changes of `mutationsOf` in one place; null where there is none, or no such place. */
export function mutationAt(whole: unknown, path: Path, random: () => number): Mutation | null {
  let value = whole
  for (const name of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return null
    value = Reflect.get(value, name)
  }
  const others = othersOf(value)
  const found = others[Math.floor(random() * (others.length + (path.length > 0 ? 1 : 0)))]
  const place = path.join('.')
  if (found && areEqual(value, found[1])) return null
  if (found) return { path: place, how: found[0], apply: () => replaced(whole, path, found[1]) }
  if (path.length === 0) return null
  return { path: place, how: 'removed', apply: () => removed(whole, path) }
}

/** Whether two JSON values are written alike; most that are not differ in kind or length. */
function areEqual(one: unknown, other: unknown): boolean {
  if (typeof one !== typeof other) return false
  if (Array.isArray(one) && Array.isArray(other) && one.length !== other.length) return false
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Puts parts of another answer in the places of this one that have the same names. */
export function splices(whole: unknown, donor: unknown): Mutation[] {
  const found: Mutation[] = []
  const visit = (value: unknown, other: unknown, path: Path) => {
    if (other === undefined || areEqual(value, other)) return
    // The whole other answer may be right as well.
    if (path.length > 0) {
      const apply = () => replaced(whole, path, other)
      found.push({ path: path.join('.'), how: 'of another answer', apply })
    }
    if (typeof value !== 'object' || value === null) return
    if (typeof other !== 'object' || other === null) return
    const parts = new Map<string, unknown>(Object.entries(other))
    for (const [name, child] of Object.entries(value)) {
      visit(child, parts.get(name), [...path, Array.isArray(value) ? Number(name) : name])
    }
  }
  visit(whole, donor, [])
  return found
}

type Other = readonly [how: string, value: unknown]

function othersOf(value: unknown): Other[] {
  const wrong: Other[] = [
    ['null', null],
    ['an empty object', {}],
    ['an empty list', []],
    ['an empty text', ''],
    ['0', 0],
    ['true', true],
  ]
  if (Array.isArray(value)) return [...wrong, ...lists(value)]
  if (typeof value === 'string') return [...wrong, ...texts(value)]
  if (typeof value === 'number') return [...wrong, ...numbers(value)]
  if (typeof value === 'boolean') return [...wrong, ['the contrary', !value]]
  if (typeof value !== 'object' || value === null) return wrong
  const fields = surplus.filter(([name]) => !Object.hasOwn(value, name))
  return [
    ...wrong,
    ...fields.map(([name, field]): Other => {
      const entries = [...Object.entries(value), [name, field] as const]
      return [`with ${name} ${JSON.stringify(field)}`, Object.fromEntries(entries)]
    }),
  ]
}

function lists(list: readonly unknown[]): Other[] {
  const found: Other[] = [
    ['extended by zeros', [...list, zeros]],
    ['extended by an empty object', [...list, {}]],
    ['extended by null', [...list, null]],
    ['begun with zeros', [zeros, ...list]],
    ['reversed', [...list].reverse()],
  ]
  for (const [at, item] of list.entries()) {
    const [before, after] = [list.slice(0, at), list.slice(at + 1)]
    found.push([`without ${at}`, [...before, ...after]])
    found.push([`with ${at} twice`, [...before, item, item, ...after]])
    const [next, ...rest] = after
    if (after.length > 0)
      found.push([`with ${at} and the next swapped`, [...before, next, item, ...rest]])
  }
  return found
}

function numbers(number: number): Other[] {
  return [number + 1, number - 1, -number, number + 0.5, 2 ** 31, 2 ** 32 + number, 1e300]
    .map((other): Other => [`${other}`, other])
    .concat([['as text', String(number)]])
}

function texts(text: string): Other[] {
  const found: Other[] = [
    ['another text', `${text}x`],
    ['a space before it', ` ${text}`],
    ['a line after it', `${text}\n`],
    ['swapped case', text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase()],
  ]
  if (/^[0-9]+$/.test(text)) found.push(...integers(BigInt(text)))
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length > 0 && bytes.toString('base64') === text) found.push(...flips(bytes))
  return found
}

function integers(number: bigint): Other[] {
  const others = [number + 1n, number - 1n, 0n, 2n ** 64n, 2n ** 64n + number, -number, 2n ** 63n]
  return [
    ...others.map((other): Other => [`${other}`, String(other)]),
    ['with a zero before it', `0${number}`],
    ['with a fraction', `${number}.0`],
    ['with an exponent', `${number}e0`],
    ['as a number', Number(number)],
  ]
}

function flips(bytes: Buffer): Other[] {
  const found: Other[] = [
    ['a byte longer', Buffer.concat([bytes, Buffer.alloc(1)]).toString('base64')],
    ['a byte shorter', bytes.subarray(0, -1).toString('base64')],
    ['zeros', Buffer.alloc(bytes.length).toString('base64')],
    ['without padding', bytes.toString('base64').replace(/=+$/, '')],
    ['in the alphabet of addresses', bytes.toString('base64url')],
  ]
  const step = Math.max(1, Math.floor(bytes.length / 64))
  for (let at = 0; at < bytes.length; at += step) {
    const other = Buffer.from(bytes)
    other[at] = (other[at] ?? 0) ^ (1 << (at % 8))
    found.push([`a bit of byte ${at}`, other.toString('base64')])
  }
  return found
}

/** A copy of the whole with something else in one place. */
function replaced(whole: unknown, path: Path, other: unknown): unknown {
  return edited(whole, path, (holder, name) => {
    Object.defineProperty(holder, name, {
      value: structuredClone(other),
      configurable: true,
      enumerable: true,
      writable: true,
    })
  })
}

function removed(whole: unknown, path: Path): unknown {
  return edited(whole, path, (holder, name) => {
    if (Array.isArray(holder)) holder.splice(Number(name), 1)
    else Reflect.deleteProperty(holder, name)
  })
}

function edited(
  whole: unknown,
  path: Path,
  edit: (holder: object, name: string | number) => void,
): unknown {
  const root = { whole: structuredClone(whole) }
  const names: Path = ['whole', ...path]
  let holder: object = root
  for (const name of names.slice(0, -1)) {
    holder = Reflect.get(holder, name) as object // the path was read off this very value
  }
  edit(holder, names.at(-1) ?? '')
  return root.whole
}
