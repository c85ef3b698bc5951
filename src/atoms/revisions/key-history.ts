import type { Entry } from '~/api/keys'
import { differingParts, type OlderRevision } from '~/core/revisions/last-changes'
import { keyRevisions, lineOf, type Told } from '~/core/revisions/revisions'
import type { Reads } from '~/core/revisions/row-questions'
import { clientAtom } from '~/core/session/client'
import { believedOffset } from '~/core/session/server-clock'
import type { Unreadable } from '~/core/unreadable'
import { base64ToBytes, bytesToBase64, bytesToHex, decodeUtf8, hexToBytes } from '~/lib/bytes'
import { pageSizes } from '~/lib/constants'
import { cutText, visibleText } from '~/lib/visible-text'
import type { FactsOf } from '~/proof/kernel/verify'
import { keyQuestions, type ShownKey } from '~/trust/questions'
import type { ObjectKind, Question } from '~/trust/verification'
import { type KeyState, readKeyState } from '../keys/key-state'
import { type Reference, referenceIn } from '../keys/reference'
import {
  type Drawn,
  type During,
  type History,
  nextHistory,
  olderAtOnce,
  type Part,
  type RevisionContent,
  saidOfRevision,
} from './history'
import type { Subject } from './open-revisions'

type KeySubject = Extract<Subject, { kind: 'key' }>

/**
 * Opens the revisions of a key.
 * @throws ApiError when the server cannot be asked
 */
export async function openKeyHistory({ get }: Reads, subject: KeySubject): Promise<History> {
  const { database, key } = subject
  const client = get(clientAtom)
  const what = `key ${shortKeyName(key)}`
  const revisions = keyRevisions(client, { database, key }, { atOnce: pageSizes.revisions })
  const count = await revisions.count()

  const stateOf = (number: number, { signal }: During) =>
    readKeyState(client, {
      database,
      key,
      revision: String(number),
      ...(signal ? { signal } : {}),
    })

  return {
    id: nextHistory(),
    subject,
    what,
    count,
    missing: 'The server reports no such key and no revision of it.',
    isFar: () => false,
    isSlow: () => false,
    lines: (from, to, { signal }) => revisions.lines(from, to, signal),
    content: async (number, during) => contentOf(await stateOf(number, during)),
    changing: ({ parts, state }) => (state === 'live' ? ownParts(parts) : []),
    older: async (from, to, { content }, { signal }) => {
      const last = Math.max(to, from - olderAtOnce(content) + 1)
      const of = { atOnce: from - last + 1, count: from, hasContent: true }
      const some = keyRevisions(client, { database, key }, of)
      const told = await some.page(from, last, signal)
      const own = ownParts(content.parts)
      return told.map((one, at) => ({
        line: lineOf(from - at, one),
        differing: differingIn(own, one),
      }))
    },
    questions: async (io, drawn) => {
      const { number, content } = drawn
      if (content === null) return { why: 'This revision has not been read yet.' }
      const [state, drawnAs] = [await stateOf(number, {}), content.state]
      if (!('entry' in state) || !drawnAs)
        return { why: 'This revision cannot be proven over HTTP.' }
      const about = { database, key, what: `${what}, revision ${number}` }
      const now = (Date.now() + believedOffset(io.get)) / 1_000
      return drawnQuestions(about, state.entry, { ...drawn, content }, { state: drawnAs, now })
    },
    provenContent: ([own, behind], { content }) => provenContentOf(own, behind, content),
  }
}

/** What is stored under a key itself: not the value of another key that it refers to. */
function ownParts(parts: readonly Part[]): readonly Part[] {
  const isReference = parts.some(({ name }) => name === 'Refers to')
  const others = new Set(['Value', 'Expires'])
  return isReference ? parts.filter(({ name }) => !others.has(name)) : parts
}

/** What an entry of the history has otherwise; null where it does not show what was stored. */
function differingIn(newer: readonly Part[], told: Told<Entry>): OlderRevision['differing'] {
  if (told === null || typeof told === 'string' || told.isExpired) return null
  const { value, expiresAt } = told
  const refersTo = referenceIn(value)
  if (newer.some(({ name }) => name === 'Refers to')) {
    return differingParts(newer, refersTo ? referenceParts(refersTo) : [])
  }
  const older: Part[] = [
    { name: 'Value', type: 'KEY', value },
    { name: 'Expires', type: 'SECONDS', value: expiresAt },
  ]
  const differing = differingParts(newer, older)
  // A history does not tell a value from a reference of the same bytes.
  return refersTo && !differing.has('Value') ? null : differing
}

/**
 * What the drawer shows of a revision. The entry that was read for the question says only where the
 * revision and the entry behind it are.
 */
function drawnQuestions(
  about: { database: string; key: string; what: string },
  entry: Entry,
  drawn: Drawn & { content: RevisionContent },
  { state, now }: { state: ShownKey['state']; now: number },
): readonly Question[] {
  const { content, line } = drawn
  const partOf = (name: string) => content.parts.find((part) => part.name === name)?.value ?? null
  const kind = line?.kind ?? null
  const at = {
    ...about,
    tx: line?.tx ?? entry.tx,
    time: line?.seconds ?? null,
    said: saidOfRevision(drawn),
    // The list and the content are two answers.
    ...(kind === null ? {} : { isDeleted: kind === 'deleted' }),
  }
  switch (state) {
    case 'live':
      return keyQuestions({ ...at, state, ...liveParts(partOf, entry) })
    case 'expired':
      return keyQuestions({ ...at, state, expiresAt: partOf('Expires'), now })
    case 'dangling': {
      const key = partOf('Refers to')
      const refersTo = key === null ? {} : { refersTo: { key, atTx: partOf('As of') } }
      return keyQuestions({ ...at, state, ...refersTo })
    }
    default:
      return keyQuestions({ ...at, state })
  }
}

function liveParts(partOf: (name: string) => string | null, entry: Entry) {
  const [key, boundTo] = [partOf('Refers to'), partOf('As of')]
  const tx = boundTo ?? entry.target?.tx ?? '0'
  return {
    value: partOf('Value') ?? '',
    expiresAt: partOf('Expires'),
    target: key === null ? null : { key, tx, isBound: boundTo !== null },
  }
}

/** The parts of a revision from what is proven; a deletion has none. */
function provenContentOf(
  own: FactsOf[ObjectKind] | undefined,
  behind: FactsOf[ObjectKind] | undefined,
  drawn: RevisionContent | null,
): RevisionContent {
  const none = drawn ?? { parts: [], dropped: [], note: null }
  if (!own || !('kind' in own) || own.kind === 'hidden') return none
  const valued = own.kind === 'value' ? own : behind && 'kind' in behind ? behind : null
  if (valued?.kind !== 'value') return none
  const parts: Part[] = [
    { name: 'Value', type: 'KEY', value: hexToBase64(valued.value) },
    { name: 'Expires', type: 'SECONDS', value: valued.meta.expiresAt },
  ]
  if (own.kind === 'reference') {
    parts.push({ name: 'Refers to', type: 'KEY', value: hexToBase64(own.referencedKey) })
    const { referencedAtTx } = own
    if (referencedAtTx !== '0') parts.push({ name: 'As of', type: 'TX', value: referencedAtTx })
  }
  return { ...none, parts }
}

const hexToBase64 = (hex: string) => bytesToBase64(hexToBytes(hex) ?? new Uint8Array())

const unreadableNotes: Readonly<Record<Unreadable, string>> = {
  'too-large': 'This value is larger than 4 MiB, which cannot be read over HTTP.',
  gone: 'The server no longer has this value. A truncation may have removed it.',
}

const notes = {
  live: null,
  deleted: 'This revision deleted the key.',
  expired: 'This value has expired: the server no longer returns it.',
  dangling: 'This revision refers to another key that was deleted or has expired.',
}

/** The server reads the other key as it is now, whatever the revision. */
const newestOfTarget =
  'This revision refers to another key. The value is the one that the other key has now.'

function contentOf(state: KeyState): RevisionContent {
  if (!('entry' in state)) {
    const note =
      state.kind === 'absent'
        ? 'The server reports no such revision of this key.'
        : unreadableNotes[state.kind]
    return { parts: [], dropped: [], note }
  }
  const { kind, entry } = state
  const parts: Part[] = []
  if (kind === 'live') parts.push({ name: 'Value', type: 'KEY', value: entry.value })
  if (kind === 'live' || kind === 'expired') {
    parts.push({ name: 'Expires', type: 'SECONDS', value: entry.expiresAt })
  }
  const { target } = entry
  if (target) parts.push({ name: 'Refers to', type: 'KEY', value: target.key })
  if (target?.isBound) parts.push({ name: 'As of', type: 'TX', value: target.tx })
  const refersTo = kind === 'dangling' ? referenceIn(entry.value) : null
  if (refersTo) parts.push(...referenceParts(refersTo))
  const isOfNow = kind === 'live' && target !== null && !target.isBound
  return { parts, state: kind, dropped: [], note: isOfNow ? newestOfTarget : notes[kind] }
}

function referenceParts({ key, atTx }: Reference): Part[] {
  const bound: Part[] = atTx > 0n ? [{ name: 'As of', type: 'TX', value: String(atTx) }] : []
  return [{ name: 'Refers to', type: 'KEY', value: key }, ...bound]
}

/** Longest name of a key in a title. */
const titleLength = 60

/** A key in standard base64, as a sentence names it. */
export function shortKeyName(key: string): string {
  const bytes = base64ToBytes(key)
  const text = decodeUtf8(bytes)
  const name = text === null ? `hex ${bytesToHex(bytes)}` : visibleText(text, 'name')
  return cutText(name, titleLength)
}
