import type { Context } from '~/proof/kernel/context'
import { ProofError } from '~/proof/kernel/steps'
import { type Kind, verify } from '~/proof/kernel/verify'
import type { SecondAnswer, SecondVerifier } from './second-verifier'

/** What both verifiers are asked. */
export type Question = {
  kind: Kind
  context: Context | null | undefined
  request: unknown
  response: unknown
  /** Where it comes from, to find it again. */
  from: string
}

export type Counts = {
  answers: number
  ok: number
  refused: number
  unproven: number
  /** Refusals for which both give one reason; several faults may be found in any order. */
  sameReason: number
}

export const noCounts = (): Counts => ({
  answers: 0,
  ok: 0,
  refused: 0,
  unproven: 0,
  sameReason: 0,
})

/** The first difference between the two, with the question that shows it. */
export class Disagreement extends Error {
  override readonly name = 'Disagreement'
  readonly line: string

  constructor(from: string, what: string, line: string) {
    super(`${from}: ${what}`)
    this.line = line
  }
}

type Outcome = Pick<SecondAnswer, 'verdict' | 'next' | 'firstUse' | 'signed' | 'open' | 'facts'> & {
  reason: string
}

/** What our verifier says, in the form of the other. */
async function ours({ kind, context, request, response }: Question): Promise<Outcome> {
  try {
    const found = await verify(kind, context, request, response)
    const { verdict, next, firstUse, signed, facts } = found
    const reason = found.verdict === 'unproven' ? found.why : ''
    return { verdict, reason, next, firstUse, signed, open: [...found.open], facts }
  } catch (error) {
    if (!(error instanceof ProofError)) throw error
    const nothing = { next: null, firstUse: false, signed: false, open: [], facts: null }
    return { verdict: 'refused', reason: error.reason, ...nothing }
  }
}

/** Asks both, and counts what they agree on. @throws Disagreement */
export async function askBoth(
  second: SecondVerifier,
  question: Question,
  counts: Counts,
): Promise<void> {
  const { kind, context, request, response, from } = question
  const line = JSON.stringify({
    kind,
    context: context ?? null,
    request: request ?? null,
    response: response ?? null,
  })
  const asked = second.ask(line)
  asked.catch(() => {})
  // Both are told the same text, so that neither sees more than it says.
  const told: Pick<Question, 'context' | 'request' | 'response'> = JSON.parse(line)
  const mine = await ours({ ...question, ...told })
  const theirs = await asked
  const what = difference(mine, theirs)
  if (what) throw new Disagreement(from, what, line)
  counts.answers += 1
  if (theirs.verdict === 'unreadable') throw new Disagreement(from, 'unreadable', line)
  counts[theirs.verdict] += 1
  if (mine.verdict === 'refused' && mine.reason === theirs.reason) counts.sameReason += 1
}

function difference(mine: Outcome, theirs: SecondAnswer): string | null {
  if (mine.verdict !== theirs.verdict) {
    const said = `${theirs.verdict} ${theirs.reason} ${theirs.step} ${theirs.part} (${theirs.why})`
    return `ours says ${mine.verdict} ${mine.reason}, the other ${said}`
  }
  if (mine.verdict === 'refused') return null
  const unlike = (name: string, one: unknown, other: unknown) =>
    canonical(one) === canonical(other)
      ? null
      : `${name}: ours ${canonical(one)}, the other ${canonical(other)}`
  // Where nothing was checked, the state is the given one, which was not read either.
  if (mine.reason === 'none' && theirs.reason === 'none') return null
  return (
    unlike('why', mine.reason, theirs.verdict === 'unproven' ? theirs.reason : '') ??
    unlike('next', mine.next, theirs.next) ??
    unlike('firstUse', mine.firstUse, theirs.firstUse) ??
    unlike('signed', mine.signed, theirs.signed) ??
    unlike('open', [...mine.open].sort(), [...theirs.open].sort()) ??
    unlike('facts', mine.facts, theirs.facts)
  )
}

/** JSON with the names of objects in order; documents may be nested deeper than calls. */
function canonical(value: unknown): string {
  const text = JSON.stringify(value, (_, each) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : each,
  )
  return text ?? 'undefined'
}
