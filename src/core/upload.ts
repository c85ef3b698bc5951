import { atom, type Getter, type PrimitiveAtom } from 'jotai'
import { ApiError, type Reason, sentence } from '~/api/errors'
import { readState } from '~/api/server'
import { counted } from '~/lib/text'
import {
  type Ended,
  idle,
  type Refused,
  type Settled,
  type Unknown,
  type Write,
} from '~/lib/write-state'
import type { Io } from './act'
import { type DraftOwner, draftOwnerAtom } from './drafts'
import { refreshState } from './history/newest-state'
import { clientAtom, ensureDatabaseToken } from './session/client'
import { databaseAtom, sessionAtom } from './session/session'
import { isHeld, tabNameAtom } from './storage/tab-name'
import {
  afterBatch,
  type Batch,
  type BatchTx,
  firstProgress,
  type ItemWords,
  leftItems,
  noFates,
  pendingText,
  spanOf,
  spanText,
  UnreadableFile,
  type UploadItem,
  type UploadProgress,
  withLeft,
} from './upload-progress'
import {
  endUpload,
  findUpload,
  keepUpload,
  openUploadsAtom,
  pageNameAtom,
  readUpload,
  type UploadKind,
  type UploadPlan,
  type UploadRecord,
} from './upload-records'
import { failedCheck, placeIn, type WritePlace, type WritePlan } from './write'

/** Items that can be left out, by their lines and numbers in the file. */
export type Leavable = {
  readonly lines: readonly number[]
  readonly numbers: readonly number[]
  /** The server refused it; else what they would write is there already. */
  readonly isRefused: boolean
  /** The server refused it because it is there. */
  readonly wasRefused?: true
}

/** Why an upload does not go on by itself. */
export type UploadStop =
  | { readonly kind: 'paused' }
  /** Nothing was sent, because it may not be or the file does not allow it. */
  | { readonly kind: 'held'; readonly why: string }
  /** Another tab is at it, or was; what that one remembers counts. */
  | { readonly kind: 'elsewhere'; readonly why: string }
  /** The server refused a transaction, and nothing of it was stored. */
  | {
      readonly kind: 'refused'
      readonly text: string
      readonly details: string
      /** What is therefore not there, as a sentence. */
      readonly notDone: string
      readonly leavable: Leavable | null
    }
  | UnknownStop

/** A transaction has no answer. */
type UnknownStop = {
  readonly kind: 'unknown'
  readonly text: string
  readonly details: string
  readonly advice: string
  /** What a check found; null before the first one. */
  readonly finding: string | null
  /** Items that are sent again could be stored twice, so the operator decides. */
  readonly mustDecide: boolean
}

export type UploadRun<P, S> = {
  readonly owner: DraftOwner
  readonly plan: P
  readonly source: S
  readonly progress: UploadProgress
  readonly phase: 'running' | 'stopping' | 'checking' | 'stopped' | 'done'
  readonly stop: UploadStop | null
  /** Bytes of the file that were read. */
  readonly bytes: number
  /** When the run began, and behind which item, for its rate. */
  readonly since: { readonly at: number; readonly item: number }
  /** Milliseconds of the last part of the run; null while it goes on. */
  readonly took: number | null
  /** This page was at it, so that another tab may have continued it since. */
  readonly hasBegun: boolean
  /** Items that the server refuses are left out without a question from now on. */
  readonly leavesOut: boolean
  /** Most items of a transaction, fewer after a refusal. */
  readonly most: number
  /** This browser remembers it, so that it can continue after a reload. */
  readonly isKept: boolean
}

export type SentTx = { readonly tx: string }

/** What became of items whose transaction has no answer. */
export type ItemsFound =
  /** One transaction inserted all of them. */
  | { readonly kind: 'committed'; readonly tx: Exclude<BatchTx, null> }
  /** None is there so far, and none can be stored twice. */
  | { readonly kind: 'absent'; readonly text: string }
  /** Some were there already, or came otherwise. */
  | {
      readonly kind: 'taken'
      readonly text: string
      readonly lines: readonly number[]
      readonly numbers: readonly number[]
    }
  /** It cannot be told; the operator decides, where items could be stored twice. */
  | { readonly kind: 'open'; readonly text: string }

/** The parts that each noun declares. */
export type UploadOf<P extends UploadPlan, S, T extends UploadItem, B> = {
  kind: UploadKind
  words: ItemWords
  /** Whether it remembers what became of each item. */
  tellsFates?: boolean
  /**
   * What is still to be sent, in transactions; one of them ends where the pending items do.
   * @throws UnreadableFile when it is not the file whose first items are committed
   */
  batches: (source: S, plan: P, progress: UploadProgress) => AsyncGenerator<Batch<T>>
  /** The content of a request, made while the server works on the one before. */
  bodyOf: (plan: P, items: readonly T[]) => B
  /** Sends one transaction, once. */
  send: (io: Io, plan: P, body: B) => Promise<SentTx>
  /** See `mayBeSecond`. */
  secondReasons: (plan: P) => readonly Reason[]
  /** Why nothing may be sent; undefined when it may. */
  refusal: (get: Getter, progress: UploadProgress) => string | undefined
  /** Looks up what became of items that were sent after a transaction. Only reads. */
  find: (io: Io, plan: P, items: readonly T[], txBefore: string) => Promise<ItemsFound>
  /** Why items that are sent again may be stored twice; null when something prevents that. */
  repeats: (plan: P, items: readonly T[]) => string | null
  /** Whether items may be carried out without a transaction, as a change of no row is. */
  mayStoreNothing?: (items: readonly T[]) => boolean
  /** Makes what the items go into. Resolves with why it stops; see `Making`. */
  make?: (io: Io, plan: P, making: Making) => Promise<UploadStop | null>
  /** Takes the writes of an upload through their states; see `runWrite` of `trust/write.ts`. */
  write: (
    io: Io,
    place: WritePlace<Write<SentTx>>,
    plan: WritePlan<SentTx> & { database: string },
  ) => Promise<Settled<SentTx> | null>
  /** It rests or is over, and what shows its noun is old; `lastTx` is missing before the first. */
  onRest: (io: Io, plan: P, rest: { isDone: boolean; lastTx: string | undefined }) => void
}

/** What making a table for the items needs of its upload. */
export type Making = {
  progress: () => UploadProgress
  /** Changes the progress, and remembers it before anything is sent. */
  note: (changed: Partial<UploadProgress>) => Promise<void>
  write: (send: () => Promise<SentTx>) => Promise<Settled<SentTx> | null>
}

/** Nothing says of a batch without an answer that it was stored or not. */
export function unknownStop(
  text: string,
  details: string,
  advice: string,
  mustDecide = false,
): UnknownStop {
  return { kind: 'unknown', text, details, advice, finding: null, mustDecide }
}

export const busyStop: UploadStop = {
  kind: 'held',
  why: 'Another transaction is still under way.',
}

const elsewhere =
  'Another tab of this browser imports this file, or did so a moment ago. Continue there, or wait a minute.'
const over = 'Another tab of this browser finished this import or forgot it. Look at what is there.'
const moved =
  'Another tab of this browser continued this import. Cancel it here, and choose the file again.'

const nothingStored: Refused = {
  kind: 'refused',
  text: 'The server made no transaction, so nothing was stored.',
  details: 'no transaction',
}

/** Most items in a row that are refused and left out without a question. */
const mostRefused = 20

/** Milliseconds between two changes that are shown, unless it starts or stops. */
const drawPeriod = 250

/** Whether it works, so that it cannot be started or closed. */
export function isUnderWay(run: { phase: UploadRun<unknown, unknown>['phase'] } | null): boolean {
  return run !== null && run.phase !== 'stopped' && run.phase !== 'done'
}

/**
 * The upload of a file in transactions of bounded size: the only place of imports that writes. It
 * remembers how far it is before each of them, so that it continues after a reload. What was sent
 * and has no answer is looked up before anything is sent again, and where items could be stored
 * twice the operator decides.
 */
export function uploader<P extends UploadPlan, S, T extends UploadItem, B>(
  of: UploadOf<P, S, T, B>,
) {
  type Run = UploadRun<P, S>
  const { kind, words } = of
  /** As it is now; `runAtom` is a moment old while it runs. */
  const nowAtom = atom<Run | null>(null)
  const shownAtom = atom<Run | null>(null)
  const drawingAtom = atom(() => ({
    timer: undefined as ReturnType<typeof setTimeout> | undefined,
  }))
  const writeAtom: PrimitiveAtom<Write<SentTx>> = atom<Write<SentTx>>(idle)
  /** The batch whose outcome is not known, while this page has it. */
  const openBatchAtom = atom<Batch<T> | null>(null)

  function setRun({ get, set }: Io, run: Run | null): void {
    set(nowAtom, run)
    const open = new Map(get(openUploadsAtom))
    const isOpen = run !== null && run.phase !== 'done'
    const state = isUnderWay(run) ? 'running' : 'stopped'
    if (open.get(kind) !== (isOpen ? state : undefined)) {
      open.delete(kind)
      set(openUploadsAtom, isOpen ? open.set(kind, state) : open)
    }
    const drawing = get(drawingAtom)
    const draw = () => {
      clearTimeout(drawing.timer)
      drawing.timer = undefined
      set(shownAtom, get(nowAtom))
    }
    if (run?.phase !== get(shownAtom)?.phase) draw()
    else drawing.timer ??= setTimeout(draw, drawPeriod)
  }

  function change(io: Io, changed: Partial<Run>): void {
    const run = io.get(nowAtom)
    if (run) setRun(io, { ...run, ...changed })
  }

  const progressOf = ({ get }: Io) => get(nowAtom)?.progress ?? firstProgress()

  function changeProgress(io: Io, changed: Partial<UploadProgress>): void {
    change(io, { progress: { ...progressOf(io), ...changed } })
  }

  /** A batch is committed. */
  function advance(io: Io, batch: Batch<T>, tx: BatchTx): void {
    io.set(openBatchAtom, null)
    change(io, { progress: afterBatch(progressOf(io), batch, tx), bytes: batch.bytes })
  }

  const recordOf = (io: Io, { plan, progress }: Run, isRunning: boolean): UploadRecord<P> => {
    const holder = isRunning ? { tab: io.get(tabNameAtom), at: Date.now() } : null
    return { version: 3, kind, plan, progress, holder, page: io.get(pageNameAtom) }
  }

  /** Remembers how far it is, before anything that may be lost with the page. */
  async function keep(io: Io, isRunning: boolean): Promise<void> {
    const run = io.get(nowAtom)
    // After “Log out and erase drafts” nothing is remembered any more.
    if (run === null || io.get(draftOwnerAtom) === null) return
    const isKept = await keepUpload(io, run.owner, recordOf(io, run, isRunning))
    if (isKept !== run.isKept) change(io, { isKept })
  }

  async function open(io: Io, source: S, plan: P, progress: UploadProgress): Promise<void> {
    const owner = io.get(draftOwnerAtom)
    if (owner === null || isUnderWay(io.get(nowAtom))) return
    io.set(openBatchAtom, null)
    setRun(io, {
      owner,
      plan,
      source,
      progress,
      phase: 'stopped',
      stop: null,
      bytes: 0,
      since: { at: performance.now(), item: progress.item },
      took: null,
      hasBegun: false,
      leavesOut: false,
      most: Number.POSITIVE_INFINITY,
      isKept: true,
    })
    await goOn(io)
  }

  /** Starts with the first item of a file. Resolves when it stops. */
  const start = (io: Io, source: S, plan: P, isMade = true) =>
    open(io, source, plan, {
      ...firstProgress(isMade),
      ...(of.tellsFates && { fates: noFates }),
    })

  /**
   * Continues a remembered upload with its file. Resolves when it stops; to a sentence when another
   * tab seems to be at it.
   */
  async function reopen(io: Io, source: S, record: UploadRecord<P>): Promise<string | null> {
    const owner = io.get(draftOwnerAtom)
    if (owner === null) return over
    // Another tab may have continued it since it was shown, also to its end.
    const { plan, endedAt } = record
    const ended =
      endedAt === undefined ? null : await findUpload<P>(io, { kind, ...plan }, plan.file)
    const now = (await readUpload(io, owner, kind, plan)) ?? ended
    if (now === null) return over
    if (isHeld(now, io.get(tabNameAtom), Date.now())) return elsewhere
    await open(io, source, now.plan, now.progress)
    return null
  }

  /** Stops after the transaction that is under way. */
  function pause(io: Io): void {
    if (io.get(nowAtom)?.phase === 'running') change(io, { phase: 'stopping' })
  }

  /** Ends one that rests; it is remembered with its file, and its committed items stay. */
  async function end(io: Io): Promise<void> {
    const run = io.get(nowAtom)
    if (run === null || isUnderWay(run)) return
    setRun(io, null)
    io.set(openBatchAtom, null)
    if (run.phase !== 'done' && run.stop?.kind !== 'elsewhere') await endKept(io, run)
  }

  /** Continues after a stop with the first item that is not committed. */
  async function goOn(io: Io): Promise<void> {
    const run = io.get(nowAtom)
    if (run === null || isUnderWay(run)) return
    const since = { at: performance.now(), item: run.progress.item }
    const most = Number.POSITIVE_INFINITY
    change(io, { phase: 'running', stop: null, since, took: null, most })
    noteStop(io, null)
    const stop = await carryOut(io, run).catch((error: unknown): UploadStop => {
      const why = error instanceof UnreadableFile ? error.message : sentence(error)
      return { kind: 'held', why }
    })
    await rest(io, stop, performance.now() - since.at)
  }

  /** Notes where it stopped. */
  async function rest(io: Io, stop: UploadStop | null, took: number): Promise<void> {
    const run = io.get(nowAtom)
    if (run === null) return
    noteStop(io, stop)
    if (stop === null) await endKept(io, io.get(nowAtom) ?? run)
    else if (stop.kind !== 'elsewhere') await keep(io, false)
    change(io, { phase: stop === null ? 'done' : 'stopped', stop, took, hasBegun: true })
    if (io.get(sessionAtom) === null) return
    of.onRest(io, run.plan, { isDone: stop === null, lastTx: run.progress.txs.at(-1)?.to })
    void refreshState(io)
  }

  /** Remembers which items it stopped at, and why, until it goes on. */
  function noteStop(io: Io, stop: UploadStop | null): void {
    const { fates } = progressOf(io)
    if (!fates) return
    const leavable = stop?.kind === 'refused' ? stop.leavable : null
    const stoppedAt = stop?.kind === 'refused' && leavable ? leftItems(leavable, stop.text) : null
    changeProgress(io, { fates: { ...fates, stoppedAt } })
  }

  async function endKept(io: Io, run: Run): Promise<void> {
    if (io.get(draftOwnerAtom) !== null) await endUpload(io, run.owner, recordOf(io, run, false))
  }

  /** Sends what is left. Resolves with why it stopped, or with null at the end of the file. */
  async function carryOut(io: Io, { source, plan }: Run): Promise<UploadStop | null> {
    const away = heldStop(io) ?? (await awayStop(io, plan))
    if (away !== null) return away
    // Held already while the file is read up to where it is, which may take long.
    await keep(io, true)
    change(io, { hasBegun: true })
    const batches = of.batches(source, plan, progressOf(io))
    const ahead = readAhead(batches, (items) => of.bodyOf(plan, items))
    try {
      const making: Making = {
        progress: () => progressOf(io),
        note: (changed) => {
          changeProgress(io, changed)
          return keep(io, true)
        },
        write: (send) => write(io, plan, send, ahead.start),
      }
      const stopped = progressOf(io).isMade ? null : await of.make?.(io, plan, making)
      if (stopped) return stopped
      let refusedInARow = 0
      for (;;) {
        const batch = await ahead.take(io.get(nowAtom)?.most ?? 1)
        if (batch === null) return null
        const stop = await bring(io, plan, batch, ahead.start)
        if (stop === 'smaller') ahead.putBack(batch)
        else if (mayLeaveOut(io, stop) && refusedInARow < mostRefused) {
          refusedInARow += 1
          leaveRefused(io, batch, stop?.kind === 'refused' ? stop.text : '')
        } else if (stop !== null) return stop
        else refusedInARow = 0
      }
    } finally {
      await batches.return(undefined)
    }
  }

  /** Whether it stops at an item that the server refused, and such items are to be left out. */
  const mayLeaveOut = ({ get }: Io, stop: UploadStop | null) =>
    stop?.kind === 'refused' && stop.leavable?.isRefused && get(nowAtom)?.leavesOut

  /** The item that was refused alone is behind the upload; the next are sent together again. */
  function leaveRefused(io: Io, batch: Batch<T>, text: string): void {
    const lines = batch.items.map(({ line }) => line)
    const numbers = batch.items.map(({ number }) => number)
    const before = progressOf(io)
    changeProgress(io, {
      refused: [...before.refused, ...lines],
      ...withLeft(before, leftItems({ numbers, isRefused: true }, text)),
    })
    advance(io, { ...batch, items: [] }, null)
    change(io, { most: Number.POSITIVE_INFINITY })
  }

  /** Brings one batch to its end. Resolves with why it stops, or null when it goes on. */
  async function bring(
    io: Io,
    plan: P,
    batch: Made<T, B>,
    onSent: () => void,
  ): Promise<UploadStop | 'smaller' | null> {
    if (batch.items.length === 0) {
      advance(io, batch, null)
      return null
    }
    const earlier = await settleEarlier(io, plan, batch)
    if (earlier !== 'send') return earlier
    if (io.get(nowAtom)?.phase === 'stopping') return { kind: 'paused' }
    return heldStop(io) ?? (await awayStop(io, plan)) ?? sendBatch(io, plan, batch, onSent)
  }

  /** Stops an upload that another tab is at, or went on with since it stopped here. */
  async function awayStop(io: Io, plan: P): Promise<UploadStop | null> {
    const run = io.get(nowAtom)
    if (run === null || !run.isKept) return null
    const record = await readUpload(io, run.owner, kind, plan)
    const why = (text: string): UploadStop => ({ kind: 'elsewhere', why: text })
    if (record !== null && isHeld(record, io.get(tabNameAtom), Date.now())) return why(elsewhere)
    if (!run.hasBegun || record?.page === io.get(pageNameAtom)) return null
    return why(record === null ? over : moved)
  }

  /** Stops where nothing more may be sent now. */
  function heldStop({ get }: Io): UploadStop | null {
    const run = get(nowAtom)
    const why = run === null ? undefined : heldBy(get, run)
    return why === undefined ? null : { kind: 'held', why }
  }

  function heldBy(get: Getter, { owner, plan, progress }: Run): string | undefined {
    const now = get(draftOwnerAtom)
    if (get(sessionAtom) === null) return 'You are logged out. Log in to continue.'
    if (owner.server !== now?.server || owner.user !== now.user) {
      return 'Another user or server is logged in now. Log in as before to continue.'
    }
    if (get(databaseAtom) !== plan.database) {
      return `Another database is open now. Open ${plan.database} to continue.`
    }
    return of.refusal(get, progress)
  }

  /** One request, in one transaction. `onSent` is called while the server works on it. */
  function write(
    io: Io,
    plan: P,
    send: () => Promise<SentTx>,
    onSent: () => void,
    mayStoreNothing = false,
  ): Promise<Settled<SentTx> | null> {
    const { database } = plan
    return of.write(io, placeIn(io, writeAtom), {
      database,
      secondReasons: of.secondReasons(plan),
      send: async () => {
        // Without a token of its own the request would go to the database that was opened last.
        await ensureDatabaseToken(io, io.get(clientAtom), database)
        const sent = send()
        // The request leaves before the page is busy with anything else.
        setTimeout(onSent)
        return sent
      },
      settle: (outcome: Ended<SentTx>): Settled<SentTx> =>
        outcome.kind === 'committed' && outcome.value.tx === '' && !mayStoreNothing
          ? nothingStored
          : outcome,
    })
  }

  async function sendBatch(
    io: Io,
    plan: P,
    batch: Made<T, B>,
    onSent: () => void,
  ): Promise<UploadStop | 'smaller' | null> {
    const pending = { ...spanOf(batch), txBefore: await newestBefore(io, plan) }
    changeProgress(io, { pending })
    await keep(io, true)
    let isAbout = false
    const send = () =>
      of.send(io, plan, batch.body).catch((error: unknown) => {
        isAbout = isAboutItems(error)
        throw error
      })
    const mayStoreNothing = of.mayStoreNothing?.(batch.items) === true
    const ended = await write(io, plan, send, onSent, mayStoreNothing)
    if (ended?.kind === 'committed') {
      advance(io, batch, ended.value.tx === '' ? 'stored nothing' : ended.value.tx)
      return null
    }
    if (ended?.kind === 'unknown') return afterUnknown(io, plan, batch, ended)
    return ended?.kind === 'refused' ? afterRefusal(io, plan, batch, ended, isAbout) : busyStop
  }

  /** The newest transaction that is before the next one of the upload. */
  async function newestBefore(io: Io, { database }: P): Promise<string> {
    const { item, txs, assumed } = progressOf(io)
    const known = txs.at(-1)?.to
    const isOfThisRun = item > (io.get(nowAtom)?.since.item ?? 0)
    if (known !== undefined && isOfThisRun && assumed.at(-1)?.to !== item) return known
    await ensureDatabaseToken(io, io.get(clientAtom), database)
    return (await readState(io.get(clientAtom), database)).txId
  }

  /** Nothing of the batch is stored by this attempt, but perhaps by an earlier one. */
  async function afterRefusal(
    io: Io,
    plan: P,
    batch: Batch<T>,
    { text, details, reason }: Refused,
    isAbout: boolean,
  ): Promise<UploadStop | 'smaller' | null> {
    const txBefore = progressOf(io).pending?.txBefore ?? '0'
    const isThere = reason === 'exists'
    const isLookedUp = isThere && of.repeats(plan, batch.items) === null
    const found = isLookedUp
      ? await of.find(io, plan, batch.items, txBefore).catch(() => null)
      : undefined
    if (found?.kind === 'committed') {
      advance(io, batch, found.tx)
      return null
    }
    changeProgress(io, { pending: null })
    if (found?.kind === 'taken') return takenStop(found, batch, true)
    if (isAbout && found !== null && batch.items.length > 1) {
      // Smaller ones, down to the item that is refused.
      change(io, { most: Math.floor(batch.items.length / 2) })
      return 'smaller'
    }
    const [one] = batch.items
    const leavable =
      one && isAbout && batch.items.length === 1
        ? { lines: [one.line], numbers: [one.number], isRefused: true }
        : null
    const twice = `A ${words.one} has the key of another ${words.one} of the file, or a value that a unique index has already.`
    const said = isThere ? `${text} ${twice}` : text
    return { kind: 'refused', text: said, details, notDone: notStored(batch), leavable }
  }

  const notStored = (batch: Batch<T>) =>
    `Not stored: ${spanText(spanOf(batch), words)}. Later lines were not sent. “Continue” sends them again.`

  const takenStop = (
    { text, lines, numbers }: Extract<ItemsFound, { kind: 'taken' }>,
    batch: Batch<T>,
    wasRefused?: true,
  ): UploadStop => ({
    kind: 'refused',
    text,
    details: counted(lines.length, words.one, words.many),
    notDone: notStored(batch),
    leavable: { lines, numbers, isRefused: false, ...(wasRefused && { wasRefused }) },
  })

  /** Where the keys of the items tell what became of them, that is looked up at once. */
  async function afterUnknown(
    io: Io,
    plan: P,
    batch: Batch<T>,
    { text, details, advice }: Unknown,
  ): Promise<UploadStop | null> {
    const { pending } = progressOf(io)
    const said = pending === null ? text : `${pendingText(pending, words)} ${text}`
    const twice = of.repeats(plan, batch.items)
    const stop = unknownStop(
      said,
      details,
      twice === null ? advice : `${advice} ${twice}`,
      twice !== null,
    )
    io.set(openBatchAtom, batch)
    return twice === null ? findPending(io, plan, batch, stop) : stop
  }

  /**
   * Looks up what became of the items without an answer. Resolves with null when they are committed,
   * else with why it stays stopped.
   */
  async function findPending(
    io: Io,
    plan: P,
    batch: Batch<T>,
    stop: UnknownStop,
  ): Promise<UploadStop | null> {
    const found = await lookUp(io, plan, batch)
    if (found.kind === 'committed') {
      advance(io, batch, found.tx)
      return null
    }
    if (found.kind !== 'taken') return { ...stop, finding: found.text }
    changeProgress(io, { pending: null })
    return takenStop(found, batch)
  }

  /** What is found of a batch; a check that fails leaves it open. */
  async function lookUp(io: Io, plan: P, batch: Batch<T>): Promise<ItemsFound> {
    const txBefore = progressOf(io).pending?.txBefore ?? '0'
    try {
      return await of.find(io, plan, batch.items, txBefore)
    } catch (error) {
      return { kind: 'open', text: failedCheck(error) }
    }
  }

  /**
   * Looks up the items of an earlier attempt before the batch is sent. Resolves with `send` when none
   * is there and none can be stored twice, with null when they are committed.
   */
  async function settleEarlier(
    io: Io,
    plan: P,
    batch: Batch<T>,
  ): Promise<UploadStop | null | 'send'> {
    const { pending } = progressOf(io)
    if (pending === null) return 'send'
    io.set(openBatchAtom, batch)
    const twice = of.repeats(plan, batch.items)
    const said = pendingText(pending, words)
    const stop = unknownStop(said, 'no answer', twice ?? '', twice !== null)
    if (twice !== null) return findPending(io, plan, batch, stop)
    const found = await lookUp(io, plan, batch)
    if (found.kind === 'absent') return 'send'
    if (found.kind === 'committed') {
      advance(io, batch, found.tx)
      return null
    }
    if (found.kind === 'open') return { ...stop, finding: found.text }
    changeProgress(io, { pending: null })
    return takenStop(found, batch)
  }

  /** Looks again at what became of the transaction without an answer; continues when it is known. */
  async function check(io: Io): Promise<void> {
    const run = io.get(nowAtom)
    const batch = io.get(openBatchAtom)
    if (run?.phase !== 'stopped' || run.stop?.kind !== 'unknown') return
    // Of what was to be made, the next part of the run looks first.
    if (batch === null) return goOn(io)
    change(io, { phase: 'checking' })
    const stop = await findPending(io, run.plan, batch, run.stop)
    change(io, { phase: 'stopped', stop: stop ?? run.stop })
    if (stop === null) await goOn(io)
  }

  /**
   * The operator says what became of the items without an answer, after a check: they count as
   * committed, or they are sent again. Then it continues.
   */
  async function decide(io: Io, isCommitted: boolean): Promise<void> {
    const run = io.get(nowAtom)
    const batch = io.get(openBatchAtom)
    if (run?.phase !== 'stopped' || run.progress.pending === null || batch === null) return
    if (run.stop?.kind !== 'unknown' || run.stop.finding === null) return
    if (isCommitted) advance(io, batch, null)
    else changeProgress(io, { pending: null })
    await goOn(io)
  }

  /**
   * Leaves out what the server refused or has already, and continues with the others.
   * @param leavesOut whether the same is done with each that it refuses from now on
   */
  async function leaveOut(io: Io, leavesOut = false): Promise<void> {
    const run = io.get(nowAtom)
    if (run?.phase !== 'stopped' || run.stop?.kind !== 'refused' || !run.stop.leavable) return
    const { numbers, lines, isRefused } = run.stop.leavable
    const { plan, progress } = run
    const refused = isRefused ? [...progress.refused, ...lines] : progress.refused
    change(io, {
      plan: { ...plan, leftOut: [...plan.leftOut, ...numbers] },
      progress: {
        ...progress,
        refused,
        ...withLeft(progress, leftItems(run.stop.leavable, run.stop.text)),
      },
      leavesOut,
    })
    await goOn(io)
  }

  return {
    kind,
    words,
    nowAtom,
    /** The upload of this tab that runs or rests, a moment old while it runs; null for none. */
    runAtom: atom((get) => get(shownAtom)),
    /** Whether the server holds up the transaction that was sent. */
    isSlowAtom: atom((get) => {
      const state = get(writeAtom)
      return state.kind === 'sending' && state.isSlow
    }),
    start,
    reopen,
    pause,
    goOn,
    end,
    check,
    decide,
    leaveOut,
  }
}

/** The upload of any noun, as screens show it. */
export type Upload = Pick<
  ReturnType<typeof uploader<UploadPlan, unknown, UploadItem, unknown>>,
  | 'kind'
  | 'words'
  | 'runAtom'
  | 'isSlowAtom'
  | 'pause'
  | 'goOn'
  | 'end'
  | 'check'
  | 'decide'
  | 'leaveOut'
>

/**
 * Whether nothing was committed because of one item, of too many, or of someone who wrote at the same
 * time: a smaller transaction may do.
 */
function isAboutItems(error: unknown): boolean {
  return error instanceof ApiError && /^(refused|conflict|request-too-large)$/.test(error.kind)
}

type Made<T extends UploadItem, B> = Batch<T> & { readonly body: B }

/**
 * Takes batches one after the other, with at most so many items. What `start` begins is the next one
 * that is taken, so that it is made while the server works on the one before.
 */
function readAhead<T extends UploadItem, B>(
  batches: AsyncGenerator<Batch<T>>,
  bodyOf: (items: readonly T[]) => B,
) {
  let next: Promise<Made<T, B> | null> | null = null
  let rest: Batch<T> | null = null
  const read = async () => {
    const { value, done } = await batches.next()
    return done ? null : { ...value, body: bodyOf(value.items) }
  }
  return {
    start: () => {
      if (rest !== null) return
      next ??= read()
      next.catch(() => {})
    },
    putBack: (batch: Batch<T>) => {
      rest = rest === null ? batch : { ...rest, items: [...batch.items, ...rest.items] }
    },
    take: async (most: number): Promise<Made<T, B> | null> => {
      if (rest === null) {
        // `start` may come while this is read: a second reading would be lost.
        next ??= read()
        const made = await next
        next = null
        if (made === null || made.items.length <= most) return made
        rest = made
      }
      const [items, others] = [rest.items.slice(0, most), rest.items.slice(most)]
      const last = others.length === 0 ? undefined : items.at(-1)
      const end = last && { to: last.number, line: last.line, checksum: last.checksum }
      const taken = { ...rest, ...end, items, body: bodyOf(items) }
      rest = last ? { ...rest, items: others } : null
      return taken
    },
  }
}
