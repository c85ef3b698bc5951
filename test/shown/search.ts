import { isNamed } from './judge'
import type { Lane, Turn } from './lane'
import { type Alteration, alterationsOf, altered, type LeafKind } from './leaves'
import type { Exchange, Lie } from './tampering-proxy'
import type { Walk } from './walk'

/** A green mark beside what was not proven, or no mark where one belongs. */
export type Breach = { readonly walk: string; readonly lie: string; readonly why: string }

export type Report = {
  readonly walk: string
  readonly known: string | undefined
  /** What is said of the object of an honest server. */
  readonly honest: string
  /** Answers and requests that were altered, and their leaves. */
  readonly answers: number
  readonly leaves: number
  /** Leaves that are drawn, and what was said when they were wrong. */
  readonly drawn: number
  readonly verified: number
  readonly contradicted: number
  readonly inPart: number
  readonly nothing: number
  readonly breaches: readonly Breach[]
  readonly seconds: number
  /** Whether time ran out before the last leaf. */
  readonly isCut: boolean
}

export type Options = {
  /** Most turns of a sample that has one leaf of each kind; all leaves without it. */
  readonly sample?: number
  /** `performance.now()` after which no other leaf is begun. */
  readonly until?: number
  tell?(breach: Breach): void
}

/** The proofs themselves, which the adversary of `test/proof/adversary` attacks. */
export const isProof = (path: string) => /\/verifiable\/|\/proof(\?|$)/.test(path)

/** What is asked to be signed in and to follow the history, of which nothing is an object. */
const isOfSession = (path: string) =>
  /^\/(login|logout|health|serverinfo|user\/list|db\/(use|list|state|settings|health))\b/.test(path)

/** One place to lie at: the n-th of the same answers, all of them, or a request. */
type Place = {
  readonly name: string
  readonly on: Lie['on']
  readonly path: string
  readonly text: string
  /** Whether it was said before the object was verified. */
  readonly isRead: boolean
  strikes: Lie['strikes']
}

/** A leaf to be altered somewhere. */
type Attempt = { readonly place: Place; readonly leaf: Alteration }

/**
 * Goes a walk with an honest server and then with one lie after another, and judges what is drawn
 * and what is said beside it.
 */
export async function search(lane: Lane, walk: Walk, options: Options = {}): Promise<Report> {
  return new Search(lane, walk, options).run()
}

class Search {
  readonly #lane: Lane
  readonly #walk: Walk
  readonly #options: Options
  readonly #breaches: Breach[] = []
  readonly #counts = { verified: 0, contradicted: 0, inPart: 0, nothing: 0, drawn: 0 }
  #honest: Turn = { before: null, after: null, seen: null, exchanges: [], read: 0, stopped: null }
  readonly #tried = new Set<Attempt>()
  #isCut = false

  constructor(lane: Lane, walk: Walk, options: Options) {
    this.#lane = lane
    this.#walk = walk
    this.#options = options
  }

  async run(): Promise<Report> {
    const began = performance.now()
    const { name: walk, known, instead = [] } = this.#walk
    if (instead.length === 0) {
      this.#honest = await this.#lane.go(this.#walk)
      await this.#judgeHonest()
    }
    for (const { name, path, sent, answer } of instead) {
      const turn = await this.#lane.go(this.#walk, {
        on: 'answer',
        status: 200,
        strikes: (one) => path.test(one.path) && sent.test(one.sent),
        alter: () => answer(this.#lane.facts),
      })
      this.#judge(name, turn, { kind: 'value', names: [] })
    }
    const places = instead.length === 0 ? this.#places() : []
    const attempts = places.map((place) => this.#leavesAt(place))
    // The likely ones first, so that a run of a few minutes finds what there is to find.
    await this.#sample(attempts.flat(), this.#options.sample ?? likelyAtFirst)
    if (this.#options.sample === undefined) {
      for (const all of attempts) {
        // Lists with other entries hide what else is altered in them.
        const isOfList = ({ leaf }: Attempt) => leaf.kind === 'presence'
        await this.#bisect(all.filter((one) => !isOfList(one)))
        await this.#bisect(all.filter(isOfList))
      }
    }
    return {
      walk,
      known,
      honest:
        this.#honest.seen?.says ??
        (instead.length > 0 ? 'not shown' : `stopped: ${this.#honest.stopped}`),
      answers: places.length + instead.length,
      leaves: attempts.flat().length + instead.length,
      ...this.#counts,
      breaches: this.#breaches,
      seconds: (performance.now() - began) / 1_000,
      isCut: this.#isCut,
    }
  }

  /** An honest object has a mark, and what is drawn beside a whole one is what was stored. */
  async #judgeHonest(): Promise<void> {
    const { seen, stopped, after } = this.#honest
    const { isUncompared = false } = this.#walk
    const right = isUncompared ? ['nothing'] : ['verified', 'in part']
    const why = stopped ?? (seen && right.includes(seen.says) ? null : seen?.words)
    const not = isUncompared ? 'has a mark' : 'is not verified'
    if (why !== null) this.#breach('none', `an honest object ${not}: ${why}`)
    const text = `${this.#honest.before}\n${after}`
    for (const stored of this.#walk.stored ?? []) {
      if (seen?.says === 'verified' && !text.includes(stored)) {
        this.#breach('none', `verified, but drawn is not what is stored: ${stored}`)
      }
    }
    // A sample takes little time; whether the walk is steady is for the whole to find out.
    if (this.#walk.sends || this.#options.sample !== undefined) return
    const again = await this.#lane.go(this.#walk)
    if (again.before !== this.#honest.before || again.after !== this.#honest.after) {
      this.#breach('none', 'two honest turns draw different things, so no lie can be told apart')
    }
  }

  #places(): Place[] {
    if (this.#walk.hasFile) {
      const text = this.#lane.file
      return [{ name: 'the file', path: '', on: 'file', text, isRead: true, strikes: () => false }]
    }
    const { exchanges, read } = this.#honest
    const { sends } = this.#walk
    // What has a proof in it and is asked for before it is verified is read like any other answer.
    const isPlain = (one: Exchange) =>
      !isProof(one.path) || (!sends && exchanges.indexOf(one) < read)
    const said = exchanges.filter((one) => isPlain(one) && !isOfSession(one.path))
    const answers = said.flatMap((one): Place[] => {
      const { call, path, nth, answer } = one
      const isRead = exchanges.indexOf(one) < read
      // The number of a transaction is another one in each turn of a write.
      const isIts = sends
        ? (other: Pick<Exchange, 'path'>) => other.path === path
        : (other: Pick<Exchange, 'call'>) => other.call === call
      const of = { on: 'answer', path, text: answer, isRead } as const
      const single = { ...of, name: `${short(call)} #${nth + 1}` }
      const last = said.filter((other) => other.call === call).length - 1
      return [
        // A proof that does not hold is asked for once more, and the opponent says the same again.
        { ...single, strikes: (other) => isIts(other) && (isProof(path) || other.nth === nth) },
        ...(nth === 0 && last > 0
          ? [{ ...of, name: `${short(call)}, each time`, strikes: isIts }]
          : []),
      ]
    })
    if (!sends) return answers
    const requests = said
      .filter(({ path }) => sends.test(path))
      .map(
        ({ path, sent }): Place => ({
          path,
          name: `request ${short(path)}`,
          on: 'request',
          text: sent,
          isRead: true,
          strikes: (other) => other.path === path,
        }),
      )
    // What else the screen reads is beside what was written, not what was written.
    return [...requests, ...answers.filter(({ path }) => sends.test(path))]
  }

  /** Leaves of a request count where the form shows them; of answers it turns out. */
  #leavesAt(place: Place): Attempt[] {
    const all = alterationsOf(place.text, this.#walk.spellings)
    const shown = flat(this.#honest.before ?? '')
    const isShown = ({ was }: Alteration) => shown.includes(flat(was.replace(/^'(.*)'$/s, '$1')))
    return all
      .filter((leaf) => place.on !== 'request' || (isShown(leaf) && !isCondition(leaf)))
      .map((leaf) => ({ place, leaf }))
  }

  /** All leaves, many at once as long as nothing of them is drawn. */
  async #bisect(attempts: readonly Attempt[]): Promise<void> {
    const [first] = attempts
    if (!first) return
    if (this.#options.until !== undefined && performance.now() > this.#options.until) {
      this.#isCut = true
      return
    }
    if (attempts.length === 1 || first.place.on === 'request') {
      for (const one of attempts) await this.#try(one)
      return
    }
    const turn = await this.#lane.go(this.#walk, this.#lieOf(attempts))
    if (turn.stopped === null && !this.#isDrawn(turn)) return
    const half = Math.ceil(attempts.length / 2)
    await this.#bisect(attempts.slice(0, half))
    await this.#bisect(attempts.slice(half))
  }

  /** Of each kind those leaves that are most likely to be drawn, one of them or two. */
  async #sample(attempts: readonly Attempt[], most: number): Promise<void> {
    const text = ` ${flat(`${this.#honest.before} ${this.#honest.after}`)} `
    const isLikely = ({ leaf, place }: Attempt) =>
      place.on === 'request' || readings(leaf.was).some((one) => text.includes(one))
    const likely = attempts.filter(isLikely)
    // An answer that has much of what is drawn is more likely to be where it comes from.
    const share = (of: Place) =>
      likely.filter(({ place, leaf }) => place === of && leaf.was.length > 2).length /
      attempts.filter(({ place }) => place === of).length
    const shares = new Map(
      [...new Set(likely.map(({ place }) => place))].map((of) => [of, share(of)]),
    )
    const rankOf = (place: Place) => shares.get(place) ?? 0
    // What many answers have, such as the name of a type, tells least of where it comes from.
    const often = new Map<string, number>()
    for (const { leaf } of likely) often.set(leaf.was, (often.get(leaf.was) ?? 0) + 1)
    const rank = ({ place, leaf }: Attempt) =>
      (Math.sqrt(rankOf(place)) * Math.min(leaf.was.length, 8)) / (often.get(leaf.was) ?? 1)
    const ranked = likely.sort((one, other) => rank(other) - rank(one))
    const groups = sampled.map((kind) => ranked.filter(({ leaf }) => leaf.kind === kind))
    // One leaf of each place that has words of what is drawn: a name may stand in another answer.
    const places = [...shares.keys()].sort((one, other) => rankOf(other) - rankOf(one))
    const words = ranked.filter(({ leaf }) => /[a-z]{3}/i.test(leaf.was))
    const ofPlaces = places.flatMap((of) => words.find(({ place }) => place === of) ?? [])
    const ofKinds = groups.flatMap((of) => of.slice(0, 1))
    const chosen = [
      ...ranked.filter(({ leaf }) => leaf.id.includes(' as ')),
      ...ofKinds.slice(0, Math.ceil(most / 2)),
      ...ofPlaces.slice(0, Math.floor(most / 2)),
      ...ofKinds,
      ...groups.flatMap((of) => of.slice(1, 2)),
    ]
    for (const one of [...new Set(chosen)].slice(0, most)) await this.#try(one)
  }

  #lieOf(attempts: readonly Attempt[]): Lie {
    const { spellings } = this.#walk
    const [first] = attempts
    const ids = new Set(attempts.map(({ leaf }) => leaf.id))
    return {
      on: first?.place.on ?? 'answer',
      strikes: (one) => first?.place.strikes(one) ?? false,
      alter: (text) => altered(text, ids, spellings),
    }
  }

  async #try(attempt: Attempt): Promise<void> {
    const { place, leaf } = attempt
    if (this.#tried.has(attempt)) return
    this.#tried.add(attempt)
    const turn = await this.#lane.go(this.#walk, this.#lieOf([attempt]))
    const isTold = place.on === 'file' || turn.exchanges.some(({ isAltered }) => isAltered)
    if (!isTold) return
    if (place.on !== 'request' && !this.#isDrawn(turn, leaf)) return
    this.#judge(`${place.name} ${leaf.id}: ${cut(leaf.was)} → ${cut(leaf.becomes)}`, turn, leaf)
  }

  #isDrawn({ before, after }: Turn, leaf?: Alteration): boolean {
    const text = `${before} ${after}`
    if (leaf) {
      // What an honest server rounds is no lie where it is as it was stored.
      if (this.#walk.stored?.includes(leaf.becomes)) return false
      // A part that finds nothing fitting any more is left out: nothing wrong is drawn then.
      if (isReadable(leaf) && !flat(text).includes(flat(leaf.becomes))) return false
    }
    const { before: first, after: last } = this.#honest
    if (leaf && isOmission(leaf) && isPartOf(text, `${first} ${last}`)) return false
    // Numbers of transactions are others in each turn of a write.
    if (this.#walk.sends) return leaf === undefined || hasWord(text, `${first} ${last}`, leaf)
    return (before !== null && before !== first) || (after !== null && after !== last)
  }

  #judge(lie: string, { seen }: Turn, leaf: Pick<Alteration, 'kind' | 'names'>): void {
    this.#counts.drawn += 1
    switch (seen?.says) {
      case 'verified':
        this.#counts.verified += 1
        this.#breach(lie, 'verified')
        return
      case 'in part':
        this.#counts.inPart += 1
        if (!isNamed(seen.words, leaf) && !this.#isSaid(lie, seen.words)) {
          this.#breach(lie, `in part, but it does not name this: ${cut(seen.words, 160)}`)
        }
        return
      case 'contradicted':
        this.#counts.contradicted += 1
        return
      default:
        this.#counts.nothing += 1
    }
  }

  /** Whether the mark names what comes of an answer that no proof covers. */
  #isSaid(lie: string, said: string): boolean {
    const all = this.#walk.said?.(this.#lane.facts) ?? []
    return all.some(({ answers, words }) => answers.test(lie) && words.test(said))
  }

  #breach(lie: string, why: string): void {
    const breach = { walk: this.#walk.name, lie, why }
    this.#breaches.push(breach)
    this.#options.tell?.(breach)
  }
}

/** Leaves that are tried before all others where all are tried. */
const likelyAtFirst = 24

/** In the order in which a sample takes them. */
const sampled: readonly LeafKind[] = [
  'expiry',
  'value',
  'name',
  'time',
  'revision',
  'author',
  'reference',
  'score',
  'presence',
  'type',
  'number of entries',
  'tx',
  'hash',
]

/** How a leaf may read on a screen, as words of their own. */
function readings(was: string): readonly string[] {
  const plain = flat(was.replace(/^'(.*)'$/s, '$1'))
  if (plain === '') return []
  const words = [plain, `"${plain}"`, `rev ${plain}`, `${plain},`].map((one) => ` ${one} `)
  if (!/^\d{10}$/.test(plain)) return words
  const time = new Date(Number(plain) * 1_000).toISOString().slice(11, 19)
  return [...words, ` ${time} `]
}

/** Whether a leaf is drawn as it reads, which times, flags and hashes are not. */
function isReadable({ kind, becomes }: Alteration): boolean {
  const isText = ['value', 'name', 'reference', 'author'].includes(kind)
  return (
    isText &&
    !becomes.startsWith('0x') &&
    /^[\w ]*[a-z]{3}[\w ]*$/i.test(becomes) &&
    becomes.length < 40
  )
}

/**
 * Whether something whole is withheld, which no proof rules out: a list may lack what it should have,
 * unlike the content of an object.
 */
function isOmission({ becomes, names }: Alteration): boolean {
  const isOfObject = names.some((name) => /^(\(JSON\)|document|columns|values)$/.test(name))
  return becomes === 'left out' && !isOfObject
}

/** Whether a server is asked to write only if this holds, which is stored nowhere and has no proof. */
const isCondition = ({ names }: Alteration) => names.includes('preconditions')

/** Whether all words of a text are among those of another. */
function isPartOf(text: string, whole: string): boolean {
  const words = new Set(flat(whole).split(' '))
  return flat(text)
    .split(' ')
    .every((word) => words.has(word))
}

/**
 * Whether the wrong content is drawn as a word of its own, more often than without it. Short numbers
 * are everywhere, and others in each turn of a write.
 */
function hasWord(text: string, honest: string, { becomes }: Alteration): boolean {
  if (/^\d{1,2}$/.test(becomes)) return false
  const grouped = /^\d+$/.test(becomes) ? BigInt(becomes).toLocaleString('en') : becomes
  const count = (all: string, one: string) => ` ${flat(all)} `.split(` ${flat(one)} `).length
  return [becomes, grouped].some((one) => count(text, one) > count(honest, one))
}

const flat = (text: string) => ` ${text.replace(/\s+/g, ' ').trim()} `.slice(1, -1)

const cut = (text: string, length = 40) => {
  const line = text.replace(/\s+/g, ' ')
  return line.length > length ? `${line.slice(0, length)}…` : line
}

const short = (call: string) => cut(call, 110)
