import { base64ToBytes, bytesToHex, decodeUtf8 } from '~/lib/bytes'
import { cutText, visibleText } from '~/lib/visible-text'
import {
  countHiddenRevisions,
  type KeyState,
  readKeyState,
  readRevisionPage,
  type Unreadable,
} from '../keys/pages'
import { referenceIn } from '../keys/reference'
import { clientAtom } from '../session/client'
import { proveKey } from '../trust/object-proofs'
import {
  type During,
  type History,
  nextHistory,
  type Part,
  type RevisionContent,
  type RevisionLine,
} from './history'
import type { Subject } from './open'
import type { Reads } from './rows'

type KeySubject = Extract<Subject, { kind: 'key' }>

/**
 * Opens the revisions of a key.
 * @throws ApiError when the server cannot be asked
 */
export async function openKeyHistory({ get }: Reads, subject: KeySubject): Promise<History> {
  const { database, key } = subject
  const client = get(clientAtom)
  const what = `key ${shortKeyName(key)}`
  const first = await readRevisionPage(client, { database, key })
  const [newest] = first.revisions
  const count = !newest
    ? 0
    : newest.revision === null
      ? await countHiddenRevisions(client, { database, key })
      : Number(newest.revision)

  const lines = async (from: number, to: number, { signal }: During) => {
    const request = { database, key, ...(signal ? { signal } : {}) }
    const found = new Map<number, RevisionLine>()
    let offset = count - from
    // A revision that was written since moves all others.
    for (let round = 0; round < 3 && !found.has(from); round += 1) {
      const { revisions } = await readRevisionPage(client, request, offset)
      for (const [at, one] of revisions.entries()) {
        const kind = one.isDeleted ? 'deleted' : one.isExpired ? 'expired' : 'written'
        const number = Number(one.revision ?? count - offset - at)
        const shown = one.hidden ?? kind
        found.set(number, { number, tx: one.tx, kind: shown, seconds: null, author: null })
      }
      offset += Math.max(0, Math.max(0, ...found.keys()) - from)
    }
    return Array.from(
      { length: from - to + 1 },
      (_, at) => found.get(from - at) ?? hidden(from - at),
    )
  }

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
    lines,
    content: async (number, during) => contentOf(await stateOf(number, during)),
    prove: async (io, number) => {
      const state = await stateOf(number, {})
      if (!('entry' in state)) {
        return Promise.reject(new Error('This revision cannot be proven over HTTP.'))
      }
      const { kind, entry } = state
      return proveKey(io, {
        database,
        key,
        what: `${what}, revision ${number}`,
        tx: entry.tx,
        value: kind === 'live' ? entry.value : null,
        targetTx: entry.target?.tx ?? null,
        isDeleted: entry.isDeleted,
        isDangling: kind === 'dangling',
      })
    },
  }
}

function hidden(number: number): RevisionLine {
  return { number, tx: null, kind: 'too-large', seconds: null, author: null }
}

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
  if (refersTo) {
    parts.push({ name: 'Refers to', type: 'KEY', value: refersTo.key })
    if (refersTo.atTx > 0n) parts.push({ name: 'As of', type: 'TX', value: `${refersTo.atTx}` })
  }
  const isOfNow = kind === 'live' && target !== null && !target.isBound
  return { parts, dropped: [], note: isOfNow ? newestOfTarget : notes[kind] }
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
