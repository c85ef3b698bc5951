import { type Break, isObjectBreak, type TrustRecord } from './record'
import { isObjectKind, type Verification } from './verification'

/** Findings kept beside the one that is shown, each with its evidence. */
const mostOthers = 10

/** Whether two findings are about the same: an object, or the same thing wrong with the state. */
export function isSameFinding(one: Break, other: Break): boolean {
  if (one.kind !== other.kind || one.verification?.kind !== other.verification?.kind) return false
  return !isObjectBreak(one) || (one.what === other.what && isSameQuestion(one, other))
}

/** Words can be the same for two objects, such as for two rows whose long keys begin alike. */
const isSameQuestion = (one: Break, other: Break) =>
  questionOf(one.verification) === questionOf(other.verification)

function questionOf(asked: Verification | null): string {
  return asked && isObjectKind(asked.kind) ? JSON.stringify(asked.request) : ''
}

/**
 * The record with one more finding, or undefined when it has it already. One that an operator has
 * seen makes room for it and is kept beside it, and so does an object's for one of the whole
 * history; else the new one is kept beside the one that is still to be seen.
 */
export function withFinding(record: TrustRecord, found: Break): TrustRecord | undefined {
  const { break: shown, others = [] } = record
  if (!shown) return { ...record, break: found }
  if ([shown, ...others].some((one) => isSameFinding(one, found))) return undefined
  const isGraver = isObjectBreak(shown) && !isObjectBreak(found)
  if (shown.acknowledgedAt !== null || isGraver) {
    return { ...record, break: found, others: [...others, shown].slice(-mostOthers) }
  }
  return others.length < mostOthers ? { ...record, others: [...others, found] } : undefined
}

/**
 * The record without the finding that was shown in `seen`, after a state that agrees with the point;
 * undefined when another one is shown by now. Other objects were not proven by that, nor was what
 * has been found since, so that the last of these is shown then.
 */
export function withoutFinding(record: TrustRecord, seen: TrustRecord): TrustRecord | undefined {
  const { break: shown, others = [] } = record
  if (!shown || shown.at !== seen.break?.at || !isSameFinding(shown, seen.break)) return undefined
  const ended = new Set(seen.others?.map(({ at }) => at))
  const left = others.filter((one) => isObjectBreak(one) || !ended.has(one.at))
  return { ...record, break: left.at(-1) ?? null, others: left.slice(0, -1) }
}
