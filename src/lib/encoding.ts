/** The encodings of text files that the console reads: labels of the Encoding Standard. */
export const encodings = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-1258',
  'windows-874',
  'iso-8859-2',
  'iso-8859-3',
  'iso-8859-4',
  'iso-8859-5',
  'iso-8859-6',
  'iso-8859-7',
  'iso-8859-8',
  'iso-8859-10',
  'iso-8859-13',
  'iso-8859-14',
  'iso-8859-15',
  'iso-8859-16',
  'koi8-r',
  'koi8-u',
  'ibm866',
  'macintosh',
  'x-mac-cyrillic',
  'gb18030',
  'big5',
  'shift_jis',
  'euc-jp',
  'euc-kr',
] as const
export type Encoding = (typeof encodings)[number]

export type TextReader = {
  read(bytes: Uint8Array): string
  end(): string
  /** Of UTF-8: bytes that are none, and characters of several bytes, counted about. */
  counts(): { readonly broken: number; readonly wide: number }
}

/**
 * Decodes parts of a file that may be cut anywhere, without a byte order mark. Bytes without a
 * meaning in the encoding become lone surrogates, which no text has, so that their place can be
 * named; never U+FFFD, which a text may have.
 */
export function textReader(encoding: Encoding): TextReader {
  const counts = { broken: 0, wide: 0 }
  const decode =
    encoding === 'utf-8'
      ? utf8Reader(counts)
      : encoding === 'utf-16le' || encoding === 'utf-16be'
        ? utf16Reader(encoding === 'utf-16le')
        : legacyReader(encoding)
  let isFirst = true
  const unmarked = (text: string) => {
    if (text === '' || !isFirst) return text
    isFirst = false
    return text.startsWith('\ufeff') ? text.slice(1) : text
  }
  return {
    read: (bytes) => unmarked(decode(bytes)),
    end: () => unmarked(decode(null)),
    counts: () => counts,
  }
}

/**
 * The encoding that the first bytes of a file have: by a byte order mark, or UTF-16 by the zeros of
 * its letters. Otherwise UTF-8, unless most that is not ASCII is no UTF-8.
 */
export function guessEncoding(bytes: Uint8Array): Encoding {
  const [one, two] = bytes
  if (one === 0xff && two === 0xfe) return 'utf-16le'
  if (one === 0xfe && two === 0xff) return 'utf-16be'
  const reader = textReader('utf-8')
  reader.read(bytes)
  const isBad = isMostlyBroken(reader)
  const wide = guessUtf16(bytes, isBad)
  if (wide !== null) return wide
  return isBad ? 'windows-1252' : 'utf-8'
}

/** Whether bytes that are no UTF-8 outweigh characters of it, so that it is another encoding. */
export function isMostlyBroken(reader: TextReader): boolean {
  const { broken, wide } = reader.counts()
  return broken > wide
}

/** UTF-16 without a mark: zeros, which texts do not have, in every second byte. */
function guessUtf16(bytes: Uint8Array, isNoUtf8: boolean): Encoding | null {
  const zeros = [0, 0]
  for (let at = 0; at < bytes.length; at += 1) {
    if (bytes[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  }
  const [even = 0, odd = 0] = zeros
  // Bytes that are UTF-8 are UTF-16 only where nearly every letter has a zero.
  const least = (bytes.length / 2) * (isNoUtf8 ? 0.02 : 0.6)
  const most = Math.max(even, odd)
  if (most < 1 || most < least || Math.min(even, odd) > most / 50) return null
  const found = even > odd ? 'utf-16be' : 'utf-16le'
  const text = textReader(found).read(bytes)
  return /[\r\n,;\t|]/.test(text) && !isBroken(text) ? found : null
}

/** Whether a text has what stands for bytes without a meaning. */
export function isBroken(text: string): boolean {
  // Without halves of pairs, which is quicker to see, there is none alone.
  return /[\ud800-\udfff]/.test(text) && /\p{Surrogate}/u.test(text)
}

type Decode = (bytes: Uint8Array | null) => string

/** U+FFFD, and the controls that decoders give for bytes that an encoding of one byte leaves free. */
const meaningless = /[\ufffd\u0080-\u009f]/g

function legacyReader(encoding: Encoding): Decode {
  const decoder = new TextDecoder(encoding, { ignoreBOM: true })
  return (bytes) => {
    const text = bytes === null ? decoder.decode() : decoder.decode(bytes, { stream: true })
    return text.replace(meaningless, '\udcff')
  }
}

/** Code units as they are; halves of pairs stay alone, as does a last byte. */
function utf16Reader(isLittle: boolean): Decode {
  let kept: Uint8Array = new Uint8Array()
  return (bytes) => {
    if (bytes === null) return kept.length > 0 ? '\ud800' : ''
    const all = joined(kept, bytes)
    const end = all.length - (all.length % 2)
    kept = all.slice(end)
    const [low, high] = isLittle ? [0, 1] : [1, 0]
    const parts: string[] = []
    for (let from = 0; from < end; from += unitsEach * 2) {
      const count = Math.min(unitsEach, (end - from) / 2)
      const units = Array.from(
        { length: count },
        (_, at) => (all[from + at * 2 + low] ?? 0) + 256 * (all[from + at * 2 + high] ?? 0),
      )
      parts.push(String.fromCharCode(...units))
    }
    return parts.join('')
  }
}

/** Code units that one call takes as arguments. */
const unitsEach = 8_192

function utf8Reader(counts: { broken: number; wide: number }): Decode {
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let kept: Uint8Array = new Uint8Array()
  return (bytes) => {
    const all = bytes === null ? kept : joined(kept, bytes)
    const end = bytes === null ? all.length : wholeLength(all)
    kept = all.slice(end)
    const whole = all.subarray(0, end)
    try {
      const text = strict.decode(whole)
      counts.wide += whole.length - text.length
      return text
    } catch {
      return escaped(whole, strict, counts)
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
function escaped(
  bytes: Uint8Array,
  strict: TextDecoder,
  counts: { broken: number; wide: number },
): string {
  const parts: string[] = []
  let [at, from] = [0, 0]
  while (at < bytes.length) {
    const length = validLength(bytes, at)
    if (length > 0) {
      if (length > 1) counts.wide += 1
      at += length
      continue
    }
    parts.push(strict.decode(bytes.subarray(from, at)))
    parts.push(String.fromCharCode(0xdc00 + (bytes[at] ?? 0)))
    counts.broken += 1
    at += 1
    from = at
  }
  parts.push(strict.decode(bytes.subarray(from)))
  return parts.join('')
}

/** The bytes of the character of UTF-8 that begins at an offset; 0 where none does. */
function validLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0
  if (first < 0x80) return 1
  if (first < 0xc2 || first > 0xf4) return 0
  const length = sequenceLength(first)
  const second = bytes[at + 1] ?? 0
  const [low, high] = secondRange(first)
  if (second < low || second > high) return 0
  for (let next = 2; next < length; next += 1) {
    if (((bytes[at + next] ?? 0) & 0xc0) !== 0x80) return 0
  }
  return length
}

/** Which second bytes are neither too long a form, nor half of a pair, nor beyond Unicode. */
function secondRange(first: number): readonly [number, number] {
  if (first === 0xe0) return [0xa0, 0xbf]
  if (first === 0xed) return [0x80, 0x9f]
  if (first === 0xf0) return [0x90, 0xbf]
  return first === 0xf4 ? [0x80, 0x8f] : [0x80, 0xbf]
}
