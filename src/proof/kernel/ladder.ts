import { bytesToHex } from './bytes'
import { checkHash } from './hash'
import { type Compared, type ProofStep, proofSteps, type Refusal, type Step } from './steps'

const order: readonly string[] = proofSteps

/**
 * The steps of one proof in the reader's order, from the content up. The checks run in another
 * order: the first is whether the answer belongs to the history. When one step is checked twice,
 * the later check counts, because it is about what was asked for.
 */
export class Ladder {
  readonly #steps = new Map<ProofStep, Step>()

  get steps(): readonly Step[] {
    return [...this.#steps.values()].sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name))
  }

  add(name: ProofStep, inputs: Step['inputs'], found: Partial<Omit<Step, 'name' | 'inputs'>> = {}) {
    this.#steps.set(name, { name, result: 'ok', inputs, computed: null, expected: null, ...found })
  }

  /** Adds the step when the hash is the expected one, and otherwise refuses the part. */
  match(
    name: ProofStep,
    inputs: Step['inputs'],
    [computed, expected]: readonly [Uint8Array, Uint8Array],
    refusal: Refusal,
    part: string,
  ) {
    checkHash(computed, expected, refusal, part, inputs)
    this.add(name, inputs, { computed: bytesToHex(computed), expected: bytesToHex(expected) })
  }

  /** The steps up to the failed one, which is last. */
  failed({ step, compared }: { step: Step['name']; compared: Compared }): readonly Step[] {
    const { inputs = {}, computed = null, expected = null } = compared
    const others = this.steps.filter(({ name }) => name !== step)
    return [...others, { name: step, result: 'failed', inputs, computed, expected }]
  }
}
