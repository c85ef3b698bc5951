import { deflateSync, inflateSync } from 'node:zlib'

const signature = Buffer.from('89504e470d0a1a0a', 'hex')
/** As many as one byte can name. */
const mostColours = 256

/**
 * The same picture with at most 256 colours, which is a third of the size. Screens have few colours;
 * what else there is are edges of letters, and they take the nearest one. Reads what Chromium
 * writes: 8 bits a channel, not interlaced.
 */
export function inFewColours(png: Buffer): Buffer {
  const { width, height, pixels } = decode(png)
  const { palette, places } = paletteOf(pixels)
  const lines = Buffer.alloc((width + 1) * height)
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      lines[y * (width + 1) + x + 1] = places.get(pixels[y * width + x] ?? 0) ?? 0
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3, 0, 0, 0], 8)
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap(channels))),
    chunk('IDAT', deflateSync(lines, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const channels = (colour: number) => [colour >> 16, (colour >> 8) & 255, colour & 255] as const

type Entry = { readonly colour: number; readonly count: number; distance: number; place: number }

/** Adds the colour that most of the picture misses, until there is room for no more. */
function paletteOf(pixels: Uint32Array) {
  const counts = new Map<number, number>()
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1)
  const entries = [...counts].map(
    ([colour, count]): Entry => ({ colour, count, distance: Number.MAX_SAFE_INTEGER, place: 0 }),
  )
  const palette: number[] = []
  while (palette.length < Math.min(mostColours, entries.length)) {
    const missed = entries.reduce((one, other) =>
      other.distance * other.count > one.distance * one.count ? other : one,
    )
    for (const entry of entries) {
      const distance = distanceOf(entry.colour, missed.colour)
      if (distance < entry.distance) Object.assign(entry, { distance, place: palette.length })
    }
    palette.push(missed.colour)
  }
  return { palette, places: new Map(entries.map(({ colour, place }) => [colour, place])) }
}

/** How different two colours look, roughly: the eye sees green best and blue least. */
function distanceOf(one: number, other: number): number {
  const [red, green, blue] = channels(one)
  const [r, g, b] = channels(other)
  return 3 * (r - red) ** 2 + 6 * (g - green) ** 2 + (b - blue) ** 2
}

type Picture = { readonly width: number; readonly height: number; readonly pixels: Uint32Array }

/** Each pixel as 0xRRGGBB; screens have nothing transparent. */
function decode(png: Buffer): Picture {
  const chunks = chunksOf(png)
  const header = chunks.find(({ type }) => type === 'IHDR')?.data ?? Buffer.alloc(13)
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const size = header[9] === 6 ? 4 : 3
  const isKnown = header[8] === 8 && (header[9] === 2 || header[9] === 6) && header[12] === 0
  if (!isKnown) throw new Error('the picture is not of the kind that Chromium writes')
  const parts = chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data)
  const bytes = unfiltered(inflateSync(Buffer.concat(parts)), width * size, size)
  const pixels = new Uint32Array(width * height)
  for (let at = 0; at < pixels.length; at += 1) pixels[at] = bytes.readUIntBE(at * size, 3)
  return { width, height, pixels }
}

function chunksOf(png: Buffer): { type: string; data: Buffer }[] {
  const found: { type: string; data: Buffer }[] = []
  for (let at = signature.length; at < png.length; ) {
    const length = png.readUInt32BE(at)
    const type = png.toString('latin1', at + 4, at + 8)
    found.push({ type, data: png.subarray(at + 8, at + 8 + length) })
    at += length + 12
  }
  return found
}

/** Lines without the filters that each begins with (section 9 of the PNG specification). */
function unfiltered(filtered: Buffer, lineLength: number, size: number): Buffer {
  const height = filtered.length / (lineLength + 1)
  const plain = Buffer.alloc(lineLength * height)
  for (let y = 0; y < height; y += 1) {
    const filter = filtered[y * (lineLength + 1)]
    for (let x = 0; x < lineLength; x += 1) {
      const at = y * lineLength + x
      const left = x < size ? 0 : (plain[at - size] ?? 0)
      const above = y === 0 ? 0 : (plain[at - lineLength] ?? 0)
      const corner = x < size || y === 0 ? 0 : (plain[at - lineLength - size] ?? 0)
      const guess = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter ?? 0]
      plain[at] = (filtered[y * (lineLength + 1) + x + 1] ?? 0) + (guess ?? 0)
    }
  }
  return plain
}

function paeth(left: number, above: number, corner: number): number {
  const guess = left + above - corner
  const [a, b, c] = [left, above, corner].map((one) => Math.abs(guess - one)) as [
    number,
    number,
    number,
  ]
  if (a <= b && a <= c) return left
  return b <= c ? above : corner
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(named.length + 8)
  framed.writeUInt32BE(data.length, 0)
  framed.set(named, 4)
  framed.writeUInt32BE(crc32(named), named.length + 4)
  return framed
}

/** Node's own is younger than the oldest Node that this must run on. */
function crc32(bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1
  }
  return (crc ^ 0xffffffff) >>> 0
}
