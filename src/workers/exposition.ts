import { metricFamilies, metricsOf } from '~/immudb/metrics'
import { readExposition } from '~/lib/exposition'

/** Takes the bytes of one answer of the metrics port and returns the figures in them. */
addEventListener('message', ({ data }: MessageEvent<unknown>) => {
  const text = data instanceof ArrayBuffer ? new TextDecoder().decode(data) : ''
  postMessage(metricsOf(readExposition(text, metricFamilies)))
})
