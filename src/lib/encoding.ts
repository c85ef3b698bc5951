/** The encodings of text files that the console reads. */
export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const
export type Encoding = (typeof encodings)[number]

export type TextReader = { read(bytes: Uint8Array): string; end(): string }

/**
 * Decodes parts of a file that may be cut anywhere, without a byte order mark. A byte that is not
 * UTF-8 becomes a lone surrogate, which no valid text has, so that its place can be named.
 */
export function textReader(encoding: Encoding): TextReader {
  const decode = encoding === 'utf-8' ? utf8Reader() : streamReader(encoding)
  let isFirst = true
  const unmarked = (text: string) => {
    if (text === '' || !isFirst) return text
    isFirst = false
    return text.startsWith('\ufeff') ? text.slice(1) : text
  }
  return { read: (bytes) => unmarked(decode(bytes)), end: () => unmarked(decode(null)) }
}

/** The encoding that the first bytes of a file name. */
export function guessEncoding(bytes: Uint8Array): Encoding {
  const [one, two] = bytes
  if (one === 0xff && two === 0xfe) return 'utf-16le'
  return one === 0xfe && two === 0xff ? 'utf-16be' : 'utf-8'
}

/** Whether a text has what stands for bytes without a meaning. */
export function isBroken(text: string): boolean {
  return /\p{Surrogate}/u.test(text)
}

type Decode = (bytes: Uint8Array | null) => string

function streamReader(encoding: Encoding): Decode {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true })
  return (bytes) => (bytes === null ? decoder.decode() : decoder.decode(bytes, { stream: true }))
}

function utf8Reader(): Decode {
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let kept: Uint8Array = new Uint8Array()
  return (bytes) => {
    const all = bytes === null ? kept : joined(kept, bytes)
    const end = bytes === null ? all.length : wholeLength(all)
    kept = all.slice(end)
    const whole = all.subarray(0, end)
    try {
      return strict.decode(whole)
    } catch {
      return escaped(whole)
    }
  }
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  if (one.length === 0) return other
  const all = new Uint8Array(one.length + other.length)
  all.set(one)
  all.set(other, one.length)
  return all
}

/** How many bytes there are before a character whose last bytes may still come. */
function wholeLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const at = bytes.length - back
    const byte = bytes[at] ?? 0
    if (byte < 0x80) return bytes.length
    if (byte >= 0xc0) return sequenceLength(byte) > back ? at : bytes.length
  }
  return bytes.length
}

function sequenceLength(first: number): number {
  if (first >= 0xf0) return 4
  return first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1
}

/** Valid characters as they are, any other byte as `U+DC00` and its value. */
function escaped(bytes: Uint8Array): string {
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const parts: string[] = []
  let at = 0
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0
    const end = at + sequenceLength(byte)
    const character = byte < 0x80 ? String.fromCharCode(byte) : decoded(bytes.subarray(at, end))
    parts.push(character ?? String.fromCharCode(0xdc00 + byte))
    at = character === null ? at + 1 : end
  }
  return parts.join('')

  function decoded(sequence: Uint8Array): string | null {
    try {
      return strict.decode(sequence)
    } catch {
      return null
    }
  }
}
