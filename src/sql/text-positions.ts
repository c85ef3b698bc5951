/** A stretch of the sent text and the stretch of the typed text it stands for. */
type Segment = {
  readonly sentFrom: number
  readonly from: number
  to: number
  /** The text was sent as typed, so offsets inside correspond. */
  readonly isCopy: boolean
}

/** Maps the sent text back to the typed text. Offsets are UTF-16. */
export type Offsets = { readonly segments: readonly Segment[] }

/** Collects the text to send, piece by piece, and where each piece came from. */
export class SentText {
  readonly offsets: { segments: Segment[] } = { segments: [] }
  sql = ''
  /** The last character of `sql`, kept because reading it from a long text each time is slow. */
  tail = ''

  constructor(private readonly source: string) {}

  copy(from: number, to: number): void {
    this.add(this.source.slice(from, to), from, to, true)
  }

  replace(text: string, from: number, to: number): void {
    this.add(text, from, to, false)
  }

  private add(text: string, from: number, to: number, isCopy: boolean): void {
    const last = this.offsets.segments.at(-1)
    if (isCopy && last?.isCopy && last.to === from) last.to = to
    else if (text !== '')
      this.offsets.segments.push({ sentFrom: this.sql.length, from, to, isCopy })
    this.sql += text
    this.tail = text.at(-1) ?? this.tail
  }
}

/** The range of the typed text that a range of the sent text stands for. */
export function typedRange(
  { segments }: Offsets,
  sentFrom: number,
  sentTo: number,
): { from: number; to: number } {
  const first = segmentAt(segments, sentFrom)
  const last = segmentAt(segments, Math.max(sentFrom, sentTo - 1))
  const from = first ? place(first, sentFrom, first.from) : 0
  const to = last ? place(last, sentTo, last.to) : from
  return { from, to: Math.max(from, to) }
}

function segmentAt(segments: readonly Segment[], sent: number): Segment | undefined {
  return segments.findLast((segment) => segment.sentFrom <= sent)
}

function place(segment: Segment, sent: number, otherwise: number): number {
  return segment.isCopy ? Math.min(segment.from + sent - segment.sentFrom, segment.to) : otherwise
}

/**
 * The UTF-16 offset of a UTF-8 byte offset. Inside a character it is the offset of the character;
 * beyond the text it is the length. A lone surrogate counts as the three bytes JSON sends for it.
 */
export function utf16Offset(text: string, bytes: number): number {
  let at = 0
  for (let seen = 0; at < text.length; ) {
    const code = text.codePointAt(at) ?? 0
    seen += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
    if (seen > bytes) return at
    at += code < 0x10000 ? 1 : 2
  }
  return at
}
