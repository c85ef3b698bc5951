import {
  type Batch,
  type FileId,
  UnreadableFile,
  type UploadItem,
  type UploadProgress,
} from '~/core/upload-progress'
import type { UploadPlan } from '~/core/upload-records'
import { checksum, firstChecksum } from '~/lib/checksum'
import { type Encoding, guessEncoding, isBroken, textReader } from '~/lib/encoding'
import { formatCount } from '~/lib/text'
import { pause } from '~/lib/work-in-slices'
import { guessDialect, type ScriptDialect, signsOf } from '~/sql/script-dialect'
import { type JudgedPart, type KeyOrder, type ScriptRow, scriptJudge } from '~/sql/script-judge'
import { EndlessStatement, type ScriptPart, scriptReader } from '~/sql/script-reader'
import { rollbackFinder, type TakenBack } from '~/sql/script-rollback'
import {
  isAboutTables,
  type ScriptTable,
  type ScriptTables,
  type SentSql,
  scriptTables,
  type TableStatement,
  tableNamer,
  takeQualified,
} from '~/sql/script-tables'
import type { DecimalChoice } from '~/sql/script-types'
import { ScriptCursor } from '~/sql/script-values'
import { ScriptIndex } from './script-index'

/** Bytes of the largest script. */
export const largestScript = 134_217_728
/** Bytes of a file that are read at once. */
const pieceSize = 262_144
/** Milliseconds of work before the page gets its turn. */
const slice = 24

/** How a script is read. */
export type ScriptReading = {
  readonly encoding: Encoding
  readonly dialect: ScriptDialect
}

/**
 * How a script is probably written.
 * @throws UnreadableFile
 */
export async function guessReading(file: File): Promise<ScriptReading> {
  if (file.size > largestScript) {
    throw new UnreadableFile(
      'The script is larger than 128 MiB, and nothing was read. Split it, best between two tables.',
    )
  }
  const bytes = new Uint8Array(await readable(file.slice(0, pieceSize).arrayBuffer()))
  const guessed = guessEncoding(bytes)
  const isWide = guessed.startsWith('utf-16')
  // Bytes of pictures stand among the texts of a dump, which says what these are in.
  const encoding = !isWide && saysUtf8.test(textReader('utf-8').read(bytes)) ? 'utf-8' : guessed
  return { encoding, dialect: guessDialect(textReader(encoding).read(bytes)) }
}

const saysUtf8 =
  /^\s*(?:\/\*M?!\d*\s*)?SET\s+(?:NAMES|client_encoding|character_set_client)\s*(?:=|TO)?\s*'?utf-?8/im

/** What is told and what stops it, while a whole script is read. */
export type Reading = { readonly signal: AbortSignal; readonly tell: (bytes: number) => void }

/** A place where reading may begin: offsets in UTF-16 units and in bytes. */
type Place = { readonly units: number; readonly bytes: number }

type Piece = { readonly text: string; readonly bytes: Uint8Array; readonly end: Place | null }

/** Where a script is read, and the checksums up to the end of each piece if it was read before. */
type PiecesFrom = { readonly from: Place; readonly sums: readonly number[] | null }

/**
 * The text of a script in pieces, from a place; `end` is where it may be read on anew.
 * @throws UnreadableFile also where a piece is not as it was
 */
async function* piecesOf(
  file: File,
  encoding: Encoding,
  { from, sums }: PiecesFrom,
): AsyncGenerator<Piece> {
  const decode = textReader(encoding)
  const isWide = encoding.startsWith('utf-16')
  let { units } = from
  const first = Math.floor(from.bytes / pieceSize)
  for (let number = first; number * pieceSize < file.size; number += 1) {
    const start = number * pieceSize
    const all = new Uint8Array(await readable(file.slice(start, start + pieceSize).arrayBuffer()))
    if (sums && checksum(sums[number - 1] ?? firstChecksum, all) !== sums[number]) {
      throw new UnreadableFile(changed)
    }
    const at = Math.max(start, from.bytes)
    const bytes = all.subarray(at - start)
    // Behind the end of a line no character is cut.
    const cut = isWide ? bytes.length - (bytes.length % 2) : bytes.lastIndexOf(0x0a) + 1
    const head = decode.read(bytes.subarray(0, cut))
    units += head.length
    const end = cut > 0 ? { units, bytes: at + cut } : null
    const rest = decode.read(bytes.subarray(cut))
    units += rest.length
    yield { text: head + rest, bytes, end }
  }
  const last = decode.end()
  if (last !== '') yield { text: last, bytes: new Uint8Array(), end: null }
}

/** Said of a file that is not as it was when it was read before. */
export const changed =
  'The file is no longer what was shown of it, and nothing new in it was sent. Choose it again to see what it has now.'

type Numbered = { readonly part: ScriptPart; readonly number: number; readonly bytes: number }

const beginning: Place = { units: 0, bytes: 0 }

/** Judges a part, and gives the page its turn in the middle of a long one. */
async function judgedSlowly(judging: Generator<void, JudgedPart>): Promise<JudgedPart> {
  let turn = performance.now() + slice
  for (;;) {
    const step = judging.next()
    if (step.done) return step.value
    if (performance.now() < turn) continue
    await pause()
    turn = performance.now() + slice
  }
}

type Judge = ReturnType<typeof scriptJudge>

/** Judges parts in their order. */
async function judgedOf(
  { judge, judging }: Judge,
  parts: readonly Numbered[],
): Promise<readonly JudgedPart[]> {
  const found: JudgedPart[] = []
  for (const { part, number } of parts) {
    const isLong = part.text.length > charactersEach
    found.push(isLong ? await judgedSlowly(judging(part, number)) : judge(part, number))
  }
  return found
}

/** Parts, and characters of them, that are judged before the page may get its turn. */
const partsEach = 64
const charactersEach = 65_536

/**
 * The parts of a script as they are read, some at once, with their numbers from 0. Pauses between, so
 * that the page stays in use.
 * @throws UnreadableFile
 */
async function* partsOf(
  file: File,
  { encoding, dialect }: ScriptReading,
  sums: readonly number[] | null,
  each: (piece: Piece, at: number) => void = () => {},
): AsyncGenerator<readonly Numbered[]> {
  const reader = scriptReader(dialect)
  let [number, bytes] = [0, 0]
  let turn = performance.now() + slice
  let isFirst = true
  let some: Numbered[] = []
  let characters = 0
  const add = (part: ScriptPart) => {
    some.push({ part, number, bytes })
    number += 1
    characters += part.text.length
    return some.length >= partsEach || characters >= charactersEach
  }
  const taken = () => {
    const all = some
    some = []
    characters = 0
    return all
  }
  const breathe = async () => {
    if (performance.now() < turn) return
    await pause()
    turn = performance.now() + slice
  }
  try {
    for await (const piece of piecesOf(file, encoding, { from: beginning, sums })) {
      each(piece, bytes)
      bytes += piece.bytes.length
      const text = isFirst ? piece.text.replace(/^\ufeff/, ' ') : piece.text
      isFirst = false
      for (const part of reader.read(text)) {
        if (!add(part)) continue
        yield taken()
        await breathe()
      }
      if (some.length > 0) yield taken()
      await breathe()
    }
    for (const part of reader.end()) add(part)
    yield taken()
  } catch (error) {
    if (error instanceof EndlessStatement) throw new UnreadableFile(error.message)
    throw error
  }
}

async function readable<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading
  } catch {
    throw new UnreadableFile(
      'The browser cannot read the file. It may have been changed or moved: choose it again.',
    )
  }
}

/** What must be known of a whole script before its first statement is judged. */
export type ScriptSurvey = {
  readonly id: FileId
  readonly reading: ScriptReading
  readonly statements: readonly TableStatement[]
  readonly firstRows: ReadonlyMap<string, readonly number[]>
  /** Names of the tables that it names, as immudb has them. */
  readonly names: ReadonlySet<string>
  readonly places: readonly Place[]
  /** Checksums up to the end of each piece, so that no other text is ever taken for this one. */
  readonly sums: readonly number[]
  /** What the script takes back itself. */
  readonly takenBack: readonly TakenBack[]
  /** The line of the first character that is none in this encoding; null for none. */
  readonly brokenLine: number | null
}

const storesRows = /^(?:INSERT|REPLACE|UPSERT|UPDATE|DELETE|COPY)\b/i

/**
 * Reads a whole script for what it says of its tables. Null when it was stopped.
 * @throws UnreadableFile
 */
export async function surveyScript(
  file: File,
  reading: ScriptReading,
  { signal, tell }: Reading,
): Promise<ScriptSurvey | null> {
  const signs = signsOf(reading.dialect)
  const nameOf = tableNamer(reading.dialect)
  const statements: TableStatement[] = []
  const firstRows = new Map<string, number[]>()
  const names = new Set<string>()
  const places: Place[] = [beginning]
  const sums: number[] = []
  const rollbacks = rollbackFinder(reading.dialect, signs)
  let sum = firstChecksum
  let brokenLine: number | null = null
  let lastChange = -1
  let told = 0
  const each = ({ bytes, end }: Piece, at: number) => {
    if (bytes.length > 0) {
      sum = checksum(sum, bytes)
      sums.push(sum)
    }
    if (end) places.push(end)
    told = at
  }
  const look = ({ part: { kind, text, line }, number }: Numbered) => {
    if (brokenLine === null && isBroken(text)) brokenLine = line
    if (kind === 'row' || kind === 'command') return
    const isTables = isAboutTables(text)
    if (kind === 'statement') rollbacks.look({ text, line, isAboutTables: isTables }, number)
    if (storesRows.test(text)) {
      const name = storedInto(text, signs, nameOf)
      if (name === null) return
      names.add(name)
      const before = firstRows.get(name)
      if (!before) firstRows.set(name, [number])
      else if ((before.at(-1) ?? -1) < lastChange) before.push(number)
    } else if (isTables) {
      lastChange = number
      statements.push({ number, line, text })
      for (const name of namedIn(text, signs, nameOf)) names.add(name)
    }
  }
  for await (const parts of partsOf(file, reading, null, each)) {
    if (signal.aborted) return null
    tell(told)
    parts.forEach(look)
  }
  const id = { name: file.name, size: file.size, checksum: sum }
  const { takenBack } = rollbacks
  return { id, reading, statements, firstRows, names, places, sums, takenBack, brokenLine }
}

type NameOf = ReturnType<typeof tableNamer>

/** The table that a statement writes into. */
function storedInto(text: string, signs: ScriptCursor['signs'], nameOf: NameOf): string | null {
  const cursor = new ScriptCursor(text, signs)
  const verb = cursor.word
  cursor.step()
  for (let most = 4; most > 0 && verb !== 'COPY' && verb !== 'UPDATE'; most -= 1) {
    const isEnd = cursor.word === 'INTO' || cursor.word === 'FROM'
    if (!isEnd && cursor.token?.kind !== 'word') break
    const isName =
      !isEnd && !/^(LOW_PRIORITY|DELAYED|HIGH_PRIORITY|IGNORE|OR|REPLACE)$/.test(cursor.word)
    if (isName) break
    cursor.step()
    if (isEnd) break
  }
  const found = takeQualified(cursor)
  return found && nameOf(found.schema, found.name)
}

/** The tables that a statement about tables names. */
function namedIn(text: string, signs: ScriptCursor['signs'], nameOf: NameOf): readonly string[] {
  const cursor = new ScriptCursor(text, signs)
  const found: string[] = []
  while (cursor.token && found.length < 1_000) {
    if (/^(TABLE|ON|EXISTS|ONLY|TRUNCATE)$/.test(cursor.word) || cursor.sign === ',') {
      cursor.step()
      const isName = cursor.token?.kind === 'word' || cursor.token?.kind === 'name'
      const isWord = /^(IF|TABLE|ONLY|EXISTS|NOT)$/.test(cursor.word)
      const name = isName && !isWord ? takeQualified(cursor.copy()) : null
      if (name) found.push(nameOf(name.schema, name.name))
      if (/^CREATE\s+(OR\s|GLOBAL\s|LOCAL\s|TEMP|UNLOGGED\s|TABLE)/i.test(text) && name) break
    } else if (cursor.sign === '(') break
    else cursor.step()
  }
  return found
}

/** What is chosen for a script. */
export type ScriptChoices = { readonly decimals: DecimalChoice }

/** A script whose every statement is judged. */
export type JudgedScript = {
  readonly survey: ScriptSurvey
  readonly index: ScriptIndex
  readonly tables: ScriptTables
  readonly there: readonly ScriptTable[]
  readonly disordered: readonly string[]
}

/**
 * Judges every statement of a script. Null when it was stopped.
 * @throws UnreadableFile
 */
export async function judgeScript(
  file: File,
  survey: ScriptSurvey,
  there: readonly ScriptTable[],
  { decimals }: ScriptChoices,
  { signal, tell }: Reading,
  disorderedBefore: readonly string[] = [],
): Promise<JudgedScript | null> {
  const order: KeyOrder = { disordered: new Set(disorderedBefore) }
  for (;;) {
    const known = order.disordered.size
    const tables = tablesOf(survey, there, decimals, [...order.disordered])
    const { dialect, encoding } = survey.reading
    const judge = scriptJudge(dialect, tables, order, false, encoding)
    const index = new ScriptIndex()
    for await (const parts of partsOf(file, survey.reading, survey.sums)) {
      if (signal.aborted) return null
      tell(parts.at(-1)?.bytes ?? 0)
      const judged = await judgedOf(judge, parts)
      parts.forEach(({ part }, at) => {
        index.add(part, judged[at] as JudgedPart)
      })
    }
    // Their keys cannot be counted up by the server, so their tables are made without.
    if (order.disordered.size > known) continue
    return { survey, index, tables, there, disordered: [...order.disordered] }
  }
}

/** The tables of a script at each statement. */
function tablesOf(
  { reading, statements, firstRows, takenBack }: ScriptSurvey,
  there: readonly ScriptTable[],
  decimals: DecimalChoice,
  disordered: readonly string[],
): ScriptTables {
  const { dialect } = reading
  const script = { dialect, statements, firstRows, takenBack }
  const input = { ...script, decimals, there, disordered: new Set(disordered) }
  return scriptTables(input, signsOf(dialect))
}

/** A statement as it stands in the file, and as it is sent. */
export type ShownStatement = { readonly text: string; readonly judged: JudgedPart }

/**
 * Reads one statement again.
 * @throws UnreadableFile
 */
export async function readStatement(
  file: File,
  { survey, index, tables }: Pick<JudgedScript, 'survey' | 'index' | 'tables'>,
  number: number,
): Promise<ShownStatement> {
  const { dialect, encoding } = survey.reading
  const { judge, judging } = scriptJudge(dialect, tables, undefined, true, encoding)
  const read = async (which: number) => {
    const { from, length, ...rest } = index.placeAt(which)
    return { ...rest, from, text: await readText(file, survey, from, length) }
  }
  const head = index.headOf(number)
  if (head !== null) judge(await read(head), head)
  const part = await read(number)
  return { text: part.text, judged: await judgedSlowly(judging(part, number)) }
}

async function readText(
  file: File,
  { places, sums, reading }: ScriptSurvey,
  from: number,
  length: number,
): Promise<string> {
  const start = places.findLast(({ units }) => units <= from) ?? beginning
  let text = ''
  for await (const piece of piecesOf(file, reading.encoding, { from: start, sums })) {
    text += piece.text
    if (start.units + text.length >= from + length) break
  }
  return text.slice(from - start.units, from - start.units + length)
}

/** Judges a script once more, some parts at once, for what is told of each of them. */
export async function* judgedParts(
  { file, script }: ScriptSource,
  signal: AbortSignal,
): AsyncGenerator<readonly JudgedPart[]> {
  const { reading, sums } = script.survey
  const judge = scriptJudge(reading.dialect, script.tables, undefined, false, reading.encoding)
  for await (const parts of partsOf(file, reading, sums)) {
    signal.throwIfAborted()
    yield await judgedOf(judge, parts)
  }
}

/** A row or a statement as it is sent. */
export type SentPart = UploadItem & { readonly row: ScriptRow | null; readonly sql: SentSql | null }

/** What bringing a script does. */
export type ScriptPlan = UploadPlan &
  ScriptReading & {
    readonly decimals: DecimalChoice
    /** The tables that were there when it began, as far as it names them. */
    readonly there: readonly ScriptTable[]
    readonly disordered: readonly string[]
    /** Most entries of one transaction. */
    readonly entriesEach: number
  }

/** A script that was judged, with its file. */
export type ScriptSource = { readonly file: File; readonly script: JudgedScript }

/** A transaction gets no more rows once their values take this many bytes. */
const batchSize = 1_048_576

/**
 * What is still to be sent of a script, in transactions: rows of one table together, any other
 * statement alone.
 * @throws UnreadableFile
 */
export async function* batchesOf(
  { file, script }: ScriptSource,
  plan: ScriptPlan,
  { item: done, pending }: UploadProgress,
): AsyncGenerator<Batch<SentPart>> {
  const without = new Set(plan.leftOut)
  const judge = scriptJudge(plan.dialect, script.tables, undefined, false, plan.encoding)
  let items: SentPart[] = []
  let [size, entries, number, ended] = [0, 0, 0, done]
  let last = { number: 0, line: 0 }
  let read = 0
  const batch = (): Batch<SentPart> => {
    const made = { items, to: last.number, line: last.line, checksum: firstChecksum, bytes: read }
    items = []
    ;[size, entries] = [0, 0]
    ended = last.number
    return made
  }
  for await (const parts of partsOf(file, plan, script.survey.sums)) {
    const found = await judgedOf(judge, parts)
    read = parts.at(-1)?.bytes ?? read
    const judged = parts.map(({ part }, at) => ({ part, all: itemsOf(found[at] as JudgedPart) }))
    for (const [part, one] of judged.flatMap(({ part, all }) =>
      all.map((one) => [part, one] as const),
    )) {
      number += 1
      const isBefore = number <= done
      const isLeft = without.has(number)
      if (isBefore) continue
      const item: SentPart = { number, line: part.line, checksum: firstChecksum, ...one }
      const before = items.at(-1)
      const count = one.row?.entries ?? 1
      const isFull = entries + count > plan.entriesEach || size >= batchSize
      if (before && !isLeft && (isFull || !goesWith(before, item))) yield batch()
      last = { number, line: part.line }
      if (!isLeft) {
        items.push(item)
        entries += count
        size += one.row ? sizeOf(one.row) : (one.sql?.sql.length ?? 0)
      }
      if (number === pending?.to) yield batch()
    }
  }
  if (number < done || number !== plan.items) throw new UnreadableFile(otherScript(plan.items))
  if (last.number > ended) yield batch()
}

const otherScript = (items: number) =>
  `The file has not the ${formatCount(items)} rows and statements that it had when its import began. Choose the same file again.`

/** What is sent of a part: its rows one by one, or its statements. */
function itemsOf({ rows, sent, judgement }: JudgedPart): Pick<SentPart, 'row' | 'sql'>[] {
  if (rows.length > 0) return rows.map((row) => ({ row, sql: null }))
  const isSent = judgement === 'runs' || judgement === 'rewritten'
  return isSent ? sent.map((sql) => ({ row: null, sql })) : []
}

function goesWith({ row: one }: SentPart, { row: other }: SentPart): boolean {
  return one !== null && other !== null && one.target === other.target && one.mode === other.mode
}

function sizeOf({ values }: ScriptRow): number {
  let size = 16
  for (const value of values) {
    const content = value === null ? '' : Object.values(value)[0]
    size += typeof content === 'string' ? content.length : 8
  }
  return size
}
