import { firstChecksum } from '~/lib/checksum'
import { counted, formatCount, formatTx } from '~/lib/text'
import { withoutQuoted } from '~/lib/without-quoted'

/** What tells whether a chosen file is the one of before; none of its values. */
export type FileId = {
  readonly name: string
  readonly size: number
  /** Of its beginning, or of all of it. */
  readonly checksum: number
}

/** A renamed file is still the same. */
export function isSameFile(one: FileId, other: FileId): boolean {
  return one.size === other.size && one.checksum === other.checksum
}

/** The file cannot be read to its end; the message is a sentence. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile'
}

/** What one item of a file is called, and more of them. */
export type ItemWords = { readonly one: string; readonly many: string }

/** Where an item is in its file, from 1, and the checksum of all up to it. */
export type UploadItem = {
  readonly number: number
  readonly line: number
  readonly checksum: number
}

/** Items that follow each other, by their numbers and lines; lines that nobody noted are 0. */
export type ItemSpan = {
  readonly from: number
  readonly to: number
  readonly fromLine: number
  readonly toLine: number
}

/** Transactions that follow each other. */
export type TxIds = { readonly from: string; readonly to: string }

/** Items that were sent, and whose outcome is not known yet. */
export type PendingItems = ItemSpan & {
  /** The newest transaction known before they were sent. */
  readonly txBefore: string
}

/** How far an upload is. */
export type UploadProgress = {
  /** What the items go into is there. */
  readonly isMade: boolean
  /** What makes it was sent, and its outcome is not known yet. */
  readonly isMakePending: boolean
  /** Every item up to this one is committed or left out. */
  readonly item: number
  readonly line: number
  /** Of the items up to that one. */
  readonly checksum: number
  readonly inserted: number
  readonly transactions: number
  readonly txs: readonly TxIds[]
  readonly pending: PendingItems | null
  /** Items that the operator took for committed, without a known transaction. */
  readonly assumed: readonly { readonly from: number; readonly to: number }[]
  /** Lines that were left out because the server refused them. */
  readonly refused: readonly number[]
  /** Only of uploads that tell what became of each item. */
  readonly fates?: ItemFates
}

/** Transactions of items that follow each other, with `each` of them in every one but the last. */
export type CommittedItems = {
  readonly from: number
  readonly to: number
  readonly each: number
  /** The first of the transactions. */
  readonly tx: BatchTx
}

/** Items that were sent and are left out, and why: a sentence without their values. */
export type LeftItems = {
  readonly numbers: readonly number[]
  /** The server refused them; else what they would write was found there. */
  readonly isRefused: boolean
  readonly why: string
}

/** What became of each item that was sent. */
export type ItemFates = {
  readonly committed: readonly CommittedItems[]
  readonly left: readonly LeftItems[]
  /** What it stopped at, and nobody decided about yet. */
  readonly stoppedAt: LeftItems | null
}

export const noFates: ItemFates = { committed: [], left: [], stoppedAt: null }

export function firstProgress(isMade = true): UploadProgress {
  return {
    isMade,
    isMakePending: false,
    item: 0,
    line: 0,
    checksum: firstChecksum,
    inserted: 0,
    transactions: 0,
    txs: [],
    pending: null,
    assumed: [],
    refused: [],
  }
}

/** The items of one transaction. */
export type Batch<T extends UploadItem = UploadItem> = {
  readonly items: readonly T[]
  /** The last item that is behind the upload then, also when that one is left out. */
  readonly to: number
  readonly line: number
  /** Of the items up to that one. */
  readonly checksum: number
  /** Bytes of the file that were read so far. */
  readonly bytes: number
}

export function spanOf({ items, to, line }: Pick<Batch, 'items' | 'to' | 'line'>): ItemSpan {
  const [first, last] = [items[0], items.at(-1)]
  return {
    from: first?.number ?? to,
    to: last?.number ?? to,
    fromLine: first?.line ?? line,
    toLine: last?.line ?? line,
  }
}

/**
 * The transaction of a batch: `stored nothing` for one that changed nothing, `not known` for one that
 * is there, null for one that the operator takes for committed.
 */
export type BatchTx = string | 'stored nothing' | 'not known' | null

/** The progress once a batch is behind the upload. */
export function afterBatch(
  before: UploadProgress,
  { to: item, line, checksum, items }: Pick<Batch, 'to' | 'line' | 'checksum' | 'items'>,
  tx: BatchTx,
): UploadProgress {
  const isSent = items.length > 0 && tx !== 'stored nothing'
  const isTx = tx !== null && tx !== 'stored nothing' && tx !== 'not known'
  return {
    ...before,
    item,
    line,
    checksum,
    pending: null,
    inserted: before.inserted + items.length,
    transactions: before.transactions + (isSent ? 1 : 0),
    txs: isTx ? withTx(before.txs, tx) : before.txs,
    assumed:
      tx === null && isSent
        ? [...before.assumed, { from: items[0]?.number ?? item, to: item }]
        : before.assumed,
    ...(before.fates && { fates: withCommitted(before.fates, items, tx) }),
  }
}

/** Transactions that follow each other with as many items are remembered as one. */
function withCommitted(fates: ItemFates, items: readonly UploadItem[], tx: BatchTx): ItemFates {
  const [first, end] = [items[0], items.at(-1)]
  if (!first || !end) return fates
  const { committed } = fates
  const [from, to] = [first.number, end.number]
  const each = to - from + 1
  const last = committed.at(-1)
  const isNext =
    last?.to === from - 1 && (last.to - last.from + 1) % last.each === 0 && each <= last.each
  if (last && isNext && tx === txOfItem(last, from)) {
    return { ...fates, committed: [...committed.slice(0, -1), { ...last, to }] }
  }
  return { ...fates, committed: [...committed, { from, to, each, tx }] }
}

/** The transaction of an item, counted on from the first of those it belongs to. */
export function txOfItem({ from, each, tx }: CommittedItems, number: number): BatchTx {
  if (tx === null || tx === 'not known' || tx === 'stored nothing') return tx
  return String(BigInt(tx) + BigInt(Math.floor((number - from) / each)))
}

const mostReason = 300

/** Items that are left out, as they are remembered. */
export function leftItems(
  of: { numbers: readonly number[]; isRefused: boolean; wasRefused?: boolean },
  text: string,
): LeftItems {
  const why = of.isRefused ? withoutQuoted(text).slice(0, mostReason) : thereAlready
  return { numbers: of.numbers, isRefused: of.isRefused || of.wasRefused === true, why }
}

const thereAlready = 'What it would write was there already, or came otherwise.'

export function withLeft(progress: UploadProgress, left: LeftItems): Partial<UploadProgress> {
  const { fates } = progress
  return fates ? { fates: { ...fates, left: [...fates.left, left] } } : {}
}

function withTx(spans: readonly TxIds[], tx: string): TxIds[] {
  const last = spans.at(-1)
  if (last && BigInt(last.to) + 1n === BigInt(tx)) {
    return [...spans.slice(0, -1), { from: last.from, to: tx }]
  }
  return [...spans, { from: tx, to: tx }]
}

/** What is committed for certain, in sentences. */
export function committedText(progress: UploadProgress, words: ItemWords): string {
  const { item, line, inserted, transactions, txs, assumed, refused } = progress
  const by = refusedText(refused)
  if (item === 0 || inserted === 0) return `No ${words.one} is known to be committed.${by}`
  const left = item - inserted
  const without = left > 0 ? `, without ${counted(left, words.one, words.many)} left out` : ''
  const items =
    item === 1 ? `${capital(words.one)} 1 is` : `${capital(words.many)} 1–${formatCount(item)} are`
  const where = txs.length === 0 ? '' : ` in ${txText(txs)}`
  const guessed = assumed
    .map(
      ({ from, to }) =>
        ` ${capital(words.many)} ${formatCount(from)}–${formatCount(to)} count as committed because you said so.`,
    )
    .join('')
  const last = ` The last begins in line ${formatCount(line)}.`
  return `${items} committed${without}: ${counted(transactions, 'transaction')}${where}.${last}${guessed}${by}`
}

const mostNamed = 20

function refusedText(lines: readonly number[]): string {
  if (lines.length === 0) return ''
  const named = lines.slice(0, mostNamed).map(formatCount).join(', ')
  const more = lines.length > mostNamed ? ` and ${formatCount(lines.length - mostNamed)} more` : ''
  return lines.length === 1
    ? ` Line ${named} was left out, because the server refused it.`
    : ` Lines ${named}${more} were left out, because the server refused them.`
}

const mostSpans = 5

function txText(spans: readonly TxIds[]): string {
  const each = spans
    .slice(0, mostSpans)
    .map(({ from, to }) => (from === to ? formatTx(from) : `${formatTx(from)}–${formatTx(to)}`))
  const last = spans.at(-1)
  const more = spans.length > mostSpans && last ? ` … ${formatTx(last.to)}` : ''
  return `tx ${each.join(', ')}${more}`
}

/** `rows 5–8 (lines 6–9)`. */
export function spanText({ from, to, fromLine, toLine }: ItemSpan, words: ItemWords): string {
  const range = (one: number, other: number) =>
    one === other ? formatCount(one) : `${formatCount(one)}–${formatCount(other)}`
  const [items, lines] = [
    from === to ? words.one : words.many,
    fromLine === toLine ? 'line' : 'lines',
  ]
  const where = fromLine === 0 ? '' : ` (${lines} ${range(fromLine, toLine)})`
  return `${items} ${range(from, to)}${where}`
}

/** The items that may or may not be committed, as a sentence. */
export function pendingText(pending: PendingItems, words: ItemWords): string {
  const verb = pending.from === pending.to ? 'is' : 'are'
  return `It is not known whether ${spanText(pending, words)} ${verb} committed, in one transaction after tx ${formatTx(pending.txBefore)}.`
}

export const capital = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`
