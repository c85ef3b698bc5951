import * as v from 'valibot'
import {
  callKinds,
  lacksCalls,
  limitFamilies,
  metricFamilies,
  replacedFamily,
} from '~/immudb/metrics'
import { metricsTimeout } from '~/lib/constants'
import type { Client } from './client'
import { ApiError } from './errors'

const figure = v.nullable(v.number())

/** A map from a worker; the schema checks each name and its figures. */
function figuresBy<K extends string, F>(
  name: v.GenericSchema<unknown, K>,
  figures: v.GenericSchema<unknown, F>,
) {
  return v.pipe(
    v.unknown(),
    v.transform((found) =>
      found instanceof Map ? Array.from(found, ([of, its]) => ({ of, its })) : found,
    ),
    v.array(v.object({ of: name, its: figures })),
    v.transform((found) => new Map(found.map(({ of, its }) => [of, its] as const))),
  )
}

const metrics = v.object({
  uptimeHours: figure,
  reserved: figure,
  inUse: figure,
  sessions: figure,
  openFiles: figure,
  mostFiles: figure,
  diskFree: figure,
  writesWait: figure,
  databases: figuresBy(v.string(), v.object({ size: figure, tx: figure, indexLag: figure })),
  calls: figuresBy(v.picklist(callKinds), v.object({ count: v.number(), seconds: v.number() })),
})
/** The figures that the console uses from one answer of the metrics port. */
export type Metrics = v.InferOutput<typeof metrics>

/**
 * Fetches the text of an immudb's metrics (pkg/server/metrics.go) from an address; half a megabyte
 * unless our handler is there and passes on only what is asked for (`embed/families.go`), so a worker
 * reads the bytes. Rejects with `ApiError`.
 */
export async function fetchMetrics(
  client: Client,
  address: string,
  signal?: AbortSignal,
): Promise<ArrayBuffer> {
  if (/^https?:/.test(address)) return fetchText(client, address, signal)
  const bytes = await fetchText(client, `${address}?${usual}`, signal)
  if (!lacksCalls(new TextDecoder().decode(bytes))) return bytes
  return fetchText(client, `${address}?${all}`, signal)
}

/**
 * Fetches what the metrics beside the API of a server tell of its limits: a few lines, where our
 * handler is in front. Rejects with `ApiError`.
 */
export const fetchLimitMetrics = (client: Client, signal: AbortSignal): Promise<ArrayBuffer> =>
  fetchText(client, `metrics?${named(limitFamilies)}`, signal)

const named = (names: readonly string[]) =>
  new URLSearchParams(names.map((name) => ['name[]', name])).toString()
const all = named([...metricFamilies])
const usual = named([...metricFamilies].filter((name) => name !== replacedFamily))

async function fetchText(client: Client, address: string, signal?: AbortSignal) {
  const timeout = metricsTimeout
  const answer = await client.download({ address, timeout, ...(signal ? { signal } : {}) })
  const { status, headers, bytes } = answer
  if (status !== 200) throw new ApiError({ kind: 'refused', text: `HTTP ${status}`, status })
  if (!/^text\/plain\b/i.test(headers.get('Content-Type') ?? '')) throw notMetrics()
  return bytes
}

/** Checks the figures from the worker. Rejects a text without metrics of an immudb. */
export function parseMetrics(found: unknown): Metrics {
  const result = v.safeParse(metrics, found)
  if (!result.success) throw notMetrics()
  return result.output
}

function notMetrics(): ApiError {
  return new ApiError({ kind: 'not-immudb', text: 'no metrics of an immudb', status: 200 })
}
