import { type Compared, type Refusal, type Rung, rungs, type Step } from './failure'
import { checkHash, hex } from './hash'

const order: readonly string[] = rungs

/**
 * The rungs of one proof, kept in the order in which a reader climbs them, which is not the order
 * in which they are checked: what an answer says first is checked to belong to the history at all.
 * Of two checks on one rung the later one is kept, which is the one about what was asked for.
 */
export class Ladder {
  readonly #steps = new Map<Rung, Step>()

  get steps(): readonly Step[] {
    return [...this.#steps.values()].sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name))
  }

  add(name: Rung, inputs: Step['inputs'], found: Partial<Omit<Step, 'name' | 'inputs'>> = {}) {
    this.#steps.set(name, { name, result: 'ok', inputs, computed: null, expected: null, ...found })
  }

  /** Adds the rung when the hash is the expected one, and refuses the part when it is not. */
  match(
    name: Rung,
    inputs: Step['inputs'],
    [computed, expected]: readonly [Uint8Array, Uint8Array],
    refusal: Refusal,
    part: string,
  ) {
    checkHash(computed, expected, refusal, part, inputs)
    this.add(name, inputs, { computed: hex(computed), expected: hex(expected) })
  }

  /** The rungs up to and with the failed one, which is last. */
  failed({ step, compared }: { step: Step['name']; compared: Compared }): readonly Step[] {
    const { inputs = {}, computed = null, expected = null } = compared
    const others = this.steps.filter(({ name }) => name !== step)
    return [...others, { name: step, result: 'failed', inputs, computed, expected }]
  }
}
