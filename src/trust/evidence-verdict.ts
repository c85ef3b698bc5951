import type { Rechecked } from '~/proof/check-evidence'
import { type Judged, type Known, verdictOf } from '~/proof/verdict'
import { proofOfRefusal } from './object-verdict'
import type { OwnState } from './recorded-state'
import type { Persistence } from './store'

/**
 * How the signing key of a file compares with the key pinned here for its server: `none`: none is
 * pinned. `missing`: the file has none. `unread`: the pinned one cannot be read.
 */
export type OwnKey = 'same' | 'different' | 'missing' | 'none' | 'unread'

/** What this browser knows about the subject of a file. */
export type OwnKnowledge = {
  point: OwnState
  key: OwnKey
  /** Without storage, records are only what a server told this page, and vouch for nothing. */
  keeping: Persistence
  /** Whether this browser knows the description of the table from the history itself. */
  isDescribed: boolean
  /** Whether this browser found the recorded history broken, and the alarm has not ended. */
  isBroken: boolean
}

/**
 * What a file of evidence shows in this browser. Anyone can make up a history with proofs that fit
 * it, so only what this browser itself recorded or pinned makes a file more than consistent.
 */
export function evidenceVerdict(rechecked: Rechecked, own: OwnKnowledge): Judged {
  return verdictOf({
    proof: proofOf(rechecked),
    ground: groundOf(rechecked, own),
    history: historyOf(own),
    // The page draws what the file proves, and nothing of the file beside it.
    shown: [],
    isOdd: false,
    open: openOf(rechecked, own),
  })
}

/** What this browser knows of one side of a fork. */
export type SideKnowledge = Pick<OwnKnowledge, 'point' | 'key'>

/**
 * What a certificate of a fork shows in this browser. Two states that part are a broken history only
 * where this browser recorded both, or pinned the keys of both. Two that have no transaction in common
 * are nothing, unless it recorded both of one server.
 */
export function forkVerdict(
  rechecked: Rechecked,
  sides: readonly SideKnowledge[],
  { keeping, isOneServer }: { keeping: Persistence; isOneServer: boolean },
): Judged {
  const own = sides.map(
    (side): OwnKnowledge => ({
      ...side,
      keeping,
      isDescribed: false,
      isBroken: false,
    }),
  )
  const contradicting = own.map(historyOf).find((history) => history !== 'followed')
  const isParted = isApart(rechecked) ? isOneServer : true
  const isKnown =
    isParted &&
    own.every((side) => isKept(side) && (side.point.kind === 'same' || side.key === 'same'))
  return verdictOf({
    proof: proofOf(rechecked),
    ground: isKnown ? 'recorded' : 'file',
    history: contradicting ?? (isKnown ? 'broken' : 'followed'),
    shown: [],
    isOdd: false,
    open: [],
  })
}

/** Whether two histories have no transaction in common. */
export function isApart({ outcome }: Rechecked): boolean {
  const facts = outcome.kind === 'ok' ? outcome.verified.facts : null
  return facts !== null && 'sides' in facts && facts.after === '0'
}

function proofOf({ agrees, outcome }: Rechecked): Known['proof'] {
  if (!agrees) return 'altered'
  if (outcome.kind === 'refused') return proofOfRefusal(outcome.refusal)
  return outcome.kind === 'ok' && outcome.verified.verdict === 'ok' ? 'holds' : 'none'
}

/** Without the key, nothing vouches for a file that the key might refute. */
const isKept = ({ keeping, key }: OwnKnowledge) => keeping === 'kept' && key !== 'unread'

function groundOf({ outcome, unchecked }: Rechecked, own: OwnKnowledge) {
  const { point, key } = own
  if (isKept(own) && point.kind === 'same') return 'recorded'
  const isSigned = outcome.kind === 'ok' && outcome.verified.signed
  if (isKept(own) && isSigned && key === 'same') return 'key'
  if (outcome.kind === 'ok' && outcome.verified.firstUse) return 'first'
  return unchecked.includes('newer') ? 'file-newer' : 'file'
}

function historyOf({ point, key, isBroken }: OwnKnowledge): Known['history'] {
  if (point.kind === 'different') return 'other'
  if (key === 'different') return 'other-key'
  return isBroken ? 'broken' : 'followed'
}

/**
 * Only this browser's own records count for the description of a table, because a file can claim
 * anything. The same holds for the report of an audit.
 */
function openOf(
  { outcome, described, unchecked }: Rechecked,
  { isDescribed }: OwnKnowledge,
): Known['open'] {
  if (outcome.kind !== 'ok') return []
  return [
    ...outcome.verified.open.filter((part) => part !== 'description'),
    ...(described && !isDescribed ? (['description'] as const) : []),
    ...(unchecked.includes('audit') ? (['report'] as const) : []),
    // Without its entries, only the header of a transaction is proven.
    ...(unchecked.includes('entries') ? (['header'] as const) : []),
  ]
}
