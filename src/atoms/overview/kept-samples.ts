import { atom } from 'jotai'
import * as v from 'valibot'
import { callKinds } from '~/immudb/metrics'
import { keptSamples, metricsPeriod, samplesStorageKey, statePollPeriod } from '~/lib/constants'
import { serverAtom, sessionAtom } from '../session/session'
import { readTab, writeTab } from '../storage/tab'

const figure = v.nullable(v.number())
const databases = v.array(v.object({ name: v.string(), size: figure, tx: figure }))
const calls = v.array(
  v.tuple([v.picklist(callKinds), v.object({ count: v.number(), seconds: v.number() })]),
)
const measurement = v.object({
  at: v.number(),
  reserved: figure,
  inUse: figure,
  calls: v.pipe(
    calls,
    v.transform((found) => new Map(found)),
  ),
  databases,
})
const listing = v.object({ at: v.number(), databases })
const present = v.object({ at: v.number(), of: v.string(), tx: v.number() })

const samples = v.object({
  measurements: v.array(measurement),
  listings: v.array(listing),
  presents: v.array(present),
})
/** What the charts of this session have measured so far, each list oldest first. */
export type Samples = v.InferOutput<typeof samples>

const none: Samples = { measurements: [], listings: [], presents: [] }

/**
 * Where the samples of this session lie, or null where none may: of a session in memory alone
 * nothing that was read is written to this computer.
 */
const placeAtom = atom((get) => {
  const session = get(sessionAtom)
  if (!session?.isStored) return null
  return `${samplesStorageKey} ${JSON.stringify([get(serverAtom) ?? '', session.user])}`
})

/** What was measured before this page was loaded; what makes no sense counts as nothing. */
export const samplesBeforeAtom = atom((get): Samples => {
  const place = get(placeAtom)
  const found = v.safeParse(samples, place === null ? null : readTab(place))
  return found.success ? found.output : none
})

/** Keeps the newest samples for the next load of this page. */
export const keepSamplesAtom = atom(null, (get, _set, found: Samples) => {
  const place = get(placeAtom)
  if (place === null) return
  const newest = <T>(list: readonly T[], period: number) => list.slice(-keptSamples / period)
  writeTab(place, {
    measurements: newest(found.measurements, metricsPeriod).map((one) => ({
      ...one,
      calls: [...one.calls],
    })),
    listings: newest(found.listings, metricsPeriod),
    presents: newest(found.presents, statePollPeriod),
  })
})
