import { type Break, isObjectBreak, type TrustRecord } from './trust-record'
import { isObjectKind, type Verification } from './verification'

/** Findings kept beside the one that is shown, each with its evidence. */
const mostOthers = 10

/** Characters of an answer that a finding keeps, and of all answers of a record. */
const [mostKept, mostKeptInAll] = [12_582_912, 25_165_824]

const sizeOf = ({ verification }: Break) => JSON.stringify(verification?.response)?.length ?? 0

/**
 * The finding without its answer where that is larger than any of immudb, which are of 4 MiB, or
 * where those of the record would be too large together.
 */
function kept(found: Break, others: readonly Break[]): Break {
  const size = sizeOf(found)
  const all = others.reduce((sum, one) => sum + sizeOf(one), size)
  if (!found.verification || (size <= mostKept && all <= mostKeptInAll)) return found
  return { ...found, verification: { ...found.verification, response: null, isTooLarge: true } }
}

/** Whether two findings are about the same: an object, or the same thing wrong with the state. */
export function isSameFinding(one: Break, other: Break): boolean {
  if (one.kind !== other.kind || one.verification?.kind !== other.verification?.kind) return false
  return !isObjectBreak(one) || (one.what === other.what && isSameQuestion(one, other))
}

/** Two objects can have the same words, such as rows whose long keys begin alike. */
const isSameQuestion = (one: Break, other: Break) =>
  questionOf(one.verification) === questionOf(other.verification)

function questionOf(asked: Verification | null): string {
  return asked && isObjectKind(asked.kind) ? JSON.stringify(asked.request) : ''
}

/**
 * The record with one more finding, or undefined when it already has it. The new one is shown if
 * the operator has seen the old one, or if the old one is about an object and the new one about the
 * whole history. Otherwise it waits behind the old one.
 */
export function withFinding(record: TrustRecord, finding: Break): TrustRecord | undefined {
  const { break: shown, others = [] } = record
  const found = kept(finding, shown ? [shown, ...others] : [])
  if (!shown) return { ...record, break: found }
  if ([shown, ...others].some((one) => isSameFinding(one, found))) return undefined
  const isGraver = isObjectBreak(shown) && !isObjectBreak(found)
  if (shown.acknowledgedAt !== null || isGraver) {
    return { ...record, break: found, others: [...others, shown].slice(-mostOthers) }
  }
  return others.length < mostOthers ? { ...record, others: [...others, found] } : undefined
}

/**
 * The record without the finding shown in `seen`, after a state that agrees with the trusted one;
 * undefined when another finding is now shown. That state proves no other objects, so the last of
 * the other findings is shown next.
 */
export function withoutFinding(record: TrustRecord, seen: TrustRecord): TrustRecord | undefined {
  const { break: shown, others = [] } = record
  if (!shown || shown.at !== seen.break?.at || !isSameFinding(shown, seen.break)) return undefined
  const ended = new Set(seen.others?.map(({ at }) => at))
  const left = others.filter((one) => isObjectBreak(one) || !ended.has(one.at))
  return { ...record, break: left.at(-1) ?? null, others: left.slice(0, -1) }
}
