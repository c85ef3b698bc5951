import { atom } from 'jotai'
import * as v from 'valibot'
import { type Io, mountedAtom } from '~/core/act'
import { openIdAtom } from '~/core/session/session'
import { storageAtom } from '~/core/storage/stored'
import { damageStorageKey } from '~/lib/storage-keys'
import { keyOf } from './trust-record'
import { trustRecordsAtom } from './trusted-states'

/** What is to be done when something is damaged, in this order. */
export const damageSteps = ['keep', 'compare', 'which', 'proves', 'tell', 'restore'] as const
export type DamageStep = (typeof damageSteps)[number]

/** Marks that are kept; the oldest go first. */
const mostMarks = 500

const mark = v.object({ of: v.string(), step: v.picklist(damageSteps), at: v.number() })
const kept = v.object({ marks: v.array(v.unknown()) })
type Mark = v.InferOutput<typeof mark>

function readMarks(value: unknown): Mark[] {
  const found = v.safeParse(kept, value)
  return found.success ? found.output.marks.filter((one): one is Mark => v.is(mark, one)) : []
}

const knownAtom = atom<readonly Mark[]>([])

const marksAtom = mountedAtom(
  (get) => get(knownAtom),
  ({ get, set }) => {
    void get(storageAtom)
      .read(damageStorageKey)
      .then((value) => set(knownAtom, readMarks(value)))
    return undefined
  },
)

/** When things were found wrong with the open database or its address. */
const foundAtom = atom((get) => {
  const id = get(openIdAtom)
  const { records = [], incidents = [] } = get(trustRecordsAtom) ?? {}
  const own = [id, { ...id, database: '' }].map(keyOf)
  return {
    breaks: records.filter((one) => own.includes(keyOf(one.id))).map((one) => one.break?.at ?? 0),
    incidents: incidents
      .filter((log) => own.includes(keyOf(log.id)))
      .flatMap((log) => log.incidents),
  }
})

const latest = (times: readonly number[]) => times.reduce((last, at) => Math.max(last, at), 0)

/** When something was last found wrong, also the same again; 0 for never. */
export const lastFoundAtom = atom((get): number => {
  const { breaks, incidents } = get(foundAtom)
  return latest([...breaks, ...incidents.map(({ last }) => last)])
})

/** When something else than before was last found; each look at the server finds the same again. */
const lastNewAtom = atom((get): number => {
  const { breaks, incidents } = get(foundAtom)
  return latest([...breaks, ...incidents.map(({ at }) => at)])
})

/**
 * When each step was done for the open database, in milliseconds since 1970. What was done before
 * something new was found has to be done again.
 */
export const doneStepsAtom = atom((get): ReadonlyMap<DamageStep, number> => {
  const [of, found] = [keyOf(get(openIdAtom)), get(lastNewAtom)]
  const own = get(marksAtom).filter((one) => one.of === of && one.at >= found)
  return new Map(own.map(({ step, at }) => [step, at]))
})

/** Notes that a step is done, or is not. */
export async function markStep({ get, set }: Io, step: DamageStep, isDone: boolean): Promise<void> {
  const [of, at] = [keyOf(get(openIdAtom)), Date.now()]
  const change = (before: readonly Mark[]): Mark[] =>
    [
      ...before.filter((one) => one.of !== of || one.step !== step),
      ...(isDone ? [{ of, step, at }] : []),
    ].slice(-mostMarks)
  set(knownAtom, change(get(knownAtom)))
  await get(storageAtom).change(damageStorageKey, (value) => ({ marks: change(readMarks(value)) }))
}
