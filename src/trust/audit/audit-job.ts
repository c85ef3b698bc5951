import type { Io } from '~/core/act'
import { clientAtom } from '~/core/session/client'
import type { DatabaseId } from '~/core/session/database-id'
import { openWorker, workerAddress } from '~/core/session/open-worker'
import { believedOffset } from '~/core/session/server-clock'
import { callCountAtom, type Session, sessionAtom } from '~/core/session/session'
import { joinChannel } from '~/lib/tab-channel'
import type { AuditNews, AuditOrder, StartAudit } from '~/proof/audit-messages'
import { advanceFor } from '../pins'
import type { Persistence } from '../store'
import { hasLeftOlderForm, isSameContact, keyOf, type TrustRecord } from '../trust-record'
import { type TrustedStates, trustedStatesAtom } from '../trusted-states'

/** A long reading of a history by a worker of this tab; `own` is what its kind knows of it. */
export type Work<Own> = {
  readonly worker: Worker
  readonly io: Io
  readonly id: DatabaseId
  /** The trusted history that it began with; its findings are about no other. */
  readonly trust: TrustRecord
  /** Whether that was recorded when it began. */
  readonly keeping: Persistence
  readonly user: string
  /** When it began here, in milliseconds since 1970. */
  readonly since: number
  /** The save in progress. */
  kept: Promise<void>
  readonly own: Own
}

/** A kind of long reading: what it does with what its worker and other tabs tell. */
export type JobKind<Own> = {
  /** Tells its works from those of other kinds on the one channel of the tabs. */
  readonly prefix: string
  hear(work: Work<Own>, news: AuditNews): void
  /** The worker itself failed, and the work has not ended yet. */
  failed(work: Work<Own>, details: string): void
  /** The work ended with its user: nothing of it is shown any more. */
  left(io: Io, id: DatabaseId): void
  /** Another tab does it, and this one does not or no longer. */
  taken(io: Io, id: DatabaseId): void
  /** No other tab does it any more. */
  freed(io: Io, id: DatabaseId): void
  /** The trusted history was forgotten, here or in another tab. */
  forgotten(io: Io, id: DatabaseId): void
}

type Followed = { io: Io; id: DatabaseId; trust: TrustRecord | null }

const jobs: Pick<AuditJob<unknown>, 'endAll'>[] = []

/** Ends all long readings of a page, whose user has left. */
export function endAllWork(io: Io): void {
  for (const job of jobs) job.endAll(io)
}

/**
 * The long readings of one kind in this tab, one for each database: begun, followed across tabs,
 * saved and ended. Of two tabs that read the same, the one that began first continues.
 */
export class AuditJob<Own> {
  readonly #kind: JobKind<Own>
  readonly #running = new Map<string, Work<Own>>()
  /** Works about to begin; a cancelled one loses its turn. */
  readonly #preparing = new Map<string, symbol>()
  /** Databases whose works this tab shows, by key. */
  readonly #followed = new Map<string, Followed>()
  /** Those that another tab works on, by key. */
  readonly #elsewhere = new Set<string>()
  readonly #watched = new WeakSet<TrustedStates>()
  /** What waits for a work of this tab to end, however it ends; by database key. */
  readonly #waiting = new Map<string, (() => void)[]>()
  #tabs: Tabs | null = null

  constructor(kind: JobKind<Own>) {
    this.#kind = kind
    jobs.push(this)
  }

  /** The work that this tab does on a database. */
  of(id: DatabaseId): Work<Own> | undefined {
    return this.#running.get(keyOf(id))
  }

  isRunning(work: Work<Own>): boolean {
    return this.of(work.id) === work
  }

  /** Takes the turn to prepare work; returns whether it still has it. A later one takes it over. */
  prepare(place: string): () => boolean {
    const turn = Symbol()
    this.#preparing.set(place, turn)
    return () => this.#preparing.get(place) === turn
  }

  isPreparing(place: string): boolean {
    return this.#preparing.has(place)
  }

  /** Takes the turn away from work that is prepared; whether there was any. */
  cancel(place: string): boolean {
    return this.#preparing.delete(place)
  }

  /** Begins to read a trusted history, unless that is no longer wanted. */
  async begin(
    io: Io,
    trust: TrustRecord,
    { own, from, isWanted }: { own: Own; from: StartAudit['from']; isWanted: () => boolean },
  ): Promise<'begun' | 'unwanted' | 'no-worker'> {
    const { id } = trust
    const keeping = await io.get(trustedStatesAtom).keeping()
    // The user may have paused it, logged out or opened another database.
    if (!isWanted()) return 'unwanted'
    const worker = openWorker('audit')
    if (!worker) return 'no-worker'
    const session = io.get(sessionAtom)
    const user = session?.user ?? ''
    const work: Work<Own> = {
      ...{ worker, io, id, trust, keeping, user, own },
      since: Date.now(),
      kept: Promise.resolve(),
    }
    this.#running.set(keyOf(id), work)
    this.#others().claim(this.#claimOf(work))
    worker.addEventListener('message', ({ data }: MessageEvent<AuditNews>) => {
      if (this.isRunning(work)) this.#hear(work, data)
    })
    worker.addEventListener('error', (event) => {
      if (this.isRunning(work)) this.#kind.failed(work, event.message ?? '')
    })
    const { database, server } = id
    const token = tokenOf(session, database)
    const clockOffset = believedOffset(io.get)
    const address = workerAddress(io.get)
    const hasNewerForm = hasLeftOlderForm(trust)
    const forms = { hasNewerForm, ...advanceFor(id, trust) }
    const order = { ...address, database, server, token, clockOffset, ...forms, from }
    this.send(work, { kind: 'start', ...order })
    return 'begun'
  }

  send({ worker }: Work<Own>, order: AuditOrder): void {
    worker.postMessage(order)
  }

  #hear(work: Work<Own>, news: AuditNews): void {
    const { io, id } = work
    if (io.get(sessionAtom)?.user !== work.user) {
      this.end(work)
      this.#kind.left(io, id)
      return
    }
    if (news.kind === 'progress') io.set(callCountAtom, (count) => count + news.calls)
    this.#kind.hear(work, news)
  }

  /** Saves how far it is. If that fails, a part is read again after a reload. */
  keep(work: Work<Own>, save: () => Promise<void>): Promise<void> {
    work.kept = save().catch(() => {})
    return work.kept
  }

  end(work: Work<Own>): void {
    work.worker.terminate()
    this.#leave(keyOf(work.id))
    this.#others().free(this.#tabKey(work.id))
  }

  /** Resolves once this tab does no work on the database, which may have ended in any way. */
  ended(id: DatabaseId): Promise<void> {
    const key = keyOf(id)
    if (!this.#running.has(key)) return Promise.resolve()
    return new Promise((resolve) =>
      this.#waiting.set(key, [...(this.#waiting.get(key) ?? []), resolve]),
    )
  }

  #leave(key: string): void {
    this.#running.delete(key)
    const told = this.#waiting.get(key) ?? []
    this.#waiting.delete(key)
    for (const tell of told) tell()
  }

  /**
   * Ends all work of a page, whose user has left. What it shows is still followed: after a lock the
   * same user finds it again.
   */
  endAll(io: Io): void {
    const client = io.get(clientAtom)
    for (const work of [...this.#running.values()]) {
      if (work.io.get(clientAtom) !== client) continue
      this.end(work)
      this.#kind.left(work.io, work.id)
    }
  }

  /** Listens to what other tabs do with the work on a database and with its trusted state. */
  follow(io: Io, id: DatabaseId, trust: TrustRecord | null): void {
    this.#followed.set(keyOf(id), { io, id, trust })
    const points = io.get(trustedStatesAtom)
    if (this.#watched.has(points)) return
    this.#watched.add(points)
    points.onChange(() => {
      for (const each of this.#followed.values()) void this.#endForgotten(each)
    })
  }

  /** Asks the other tabs which of them does it. */
  askOthers(id: DatabaseId): void {
    this.#others().ask(this.#tabKey(id))
  }

  /** Whether this page shows, or has done, such work on the database. */
  isFollowedBy(io: Io, id: DatabaseId): boolean {
    return this.#followed.get(keyOf(id))?.io.get(clientAtom) === io.get(clientAtom)
  }

  unfollow(id: DatabaseId): void {
    this.#followed.delete(keyOf(id))
  }

  async #endForgotten(then: Followed): Promise<void> {
    const { io, id, trust } = then
    if (!trust) return
    const record = await io
      .get(trustedStatesAtom)
      .read(id)
      .catch(() => trust)
    // Two changes may arrive in quick succession.
    if (this.#followed.get(keyOf(id)) !== then) return
    if (!record || !isSameContact(trust, record)) this.#kind.forgotten(io, id)
  }

  #tabKey(id: DatabaseId): string {
    return `${this.#kind.prefix}${keyOf(id)}`
  }

  #claimOf({ id, since }: Work<Own>): Claim {
    return { key: this.#tabKey(id), since, tab }
  }

  #others(): Tabs {
    this.#tabs ??= this.#openTabs()
    return this.#tabs
  }

  #openTabs(): Tabs {
    const keyIn = (tabKey: string) => tabKey.slice(this.#kind.prefix.length)
    const tabs = openTabs({
      own: (tabKey) => {
        const work = this.#running.get(keyIn(tabKey))
        return work ? this.#claimOf(work) : null
      },
      // Two works on one database would overwrite each other's progress.
      taken: (tabKey) => {
        const key = keyIn(tabKey)
        const work = this.#running.get(key)
        work?.worker.terminate()
        this.#leave(key)
        const shown = work ?? this.#followed.get(key)
        if (!shown) return
        this.#elsewhere.add(key)
        this.#kind.taken(shown.io, shown.id)
      },
      freed: (tabKey) => {
        const key = keyIn(tabKey)
        const shown = this.#followed.get(key)
        const isElsewhere = this.#elsewhere.delete(key) && !this.#running.has(key)
        if (isElsewhere && shown) this.#kind.freed(shown.io, shown.id)
      },
    })
    addEventListener('pagehide', ({ persisted }) => {
      if (persisted) return
      for (const { id } of this.#running.values()) tabs.free(this.#tabKey(id))
    })
    return tabs
  }
}

/**
 * Null when there is no token of this database; any other would lead the work into another history.
 */
export function tokenOf(session: Session | null, database: string): string | null {
  return session?.databaseTokens.get(database) ?? null
}

const tab = Math.random()

/** Work that a tab does. Of two on one database, the earlier one continues. */
type Claim = { key: string; since: number; tab: number }

type Message = { kind: 'ask'; key: string } | ({ kind: 'running' } & Claim) | Ended
type Ended = { kind: 'ended'; key: string }

/** What a tab replies about its works, by their keys. */
type TabsListener = {
  /** The work that this tab does. */
  own: (key: string) => Claim | null
  /** Another tab does it and began first. */
  taken: (key: string) => void
  /** Another tab no longer does it. */
  freed: (key: string) => void
}

/** The channel on which tabs announce their works. */
type Tabs = {
  /** Asks which tab does it; that tab answers. */
  ask: (key: string) => void
  claim: (claim: Claim) => void
  free: (key: string) => void
}

function openTabs({ own, taken, freed }: TabsListener): Tabs {
  const channel = joinChannel('webconsole-audit', (heard) => {
    const message = messageOf(heard)
    if (!message) return
    const ours = own(message.key)
    if (message.kind === 'ended') freed(message.key)
    else if (ours && (message.kind === 'ask' || isBefore(ours, message))) {
      say({ kind: 'running', ...ours })
    } else if (message.kind === 'running') taken(message.key)
  })
  const say = (message: Message) => channel.tell(message)
  return {
    ask: (key) => say({ kind: 'ask', key }),
    claim: (claim) => say({ kind: 'running', ...claim }),
    free: (key) => say({ kind: 'ended', key }),
  }
}

function isBefore(one: Claim, other: Claim): boolean {
  return one.since === other.since ? one.tab < other.tab : one.since < other.since
}

/** Null for messages of another console version. */
function messageOf(heard: unknown): Message | null {
  const isOurs =
    typeof heard === 'object' && heard !== null && 'key' in heard && typeof heard.key === 'string'
  return isOurs && 'kind' in heard ? (heard as Message) : null // as `say` sends it
}
