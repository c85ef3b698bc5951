import { workers } from '~/lib/build'
import { metricsTimeout } from '~/lib/constants'
import { readExposition } from '~/lib/exposition'
import { metricFamilies, metricsOf } from '~/lib/metrics'

/**
 * Reads the text of a metrics answer apart from the page, so that half a megabyte never holds up a
 * key press; on the page itself where no worker can be had. What comes back is for `parseMetrics`.
 */
export async function readApart(bytes: ArrayBuffer): Promise<unknown> {
  const file = workers.get('exposition')
  if (file === undefined || typeof Worker === 'undefined') return readHere(bytes)
  // Every script of a build lies in the same folder.
  const answer = await asked(new URL(file, import.meta.url), bytes)
  return answer.isRead ? answer.found : readHere(bytes)
}

type Answer = { isRead: true; found: unknown } | { isRead: false }

/** One worker for one text: it comes once a minute, and nothing is left behind. */
function asked(script: URL, bytes: ArrayBuffer): Promise<Answer> {
  return new Promise((resolve) => {
    const worker = new Worker(script)
    const end = (answer: Answer) => {
      clearTimeout(timer)
      worker.terminate()
      resolve(answer)
    }
    const timer = setTimeout(() => end({ isRead: true, found: null }), metricsTimeout)
    worker.addEventListener('message', ({ data }: MessageEvent<unknown>) =>
      end({ isRead: true, found: data }),
    )
    worker.addEventListener('error', () => end({ isRead: false }))
    worker.postMessage(bytes)
  })
}

function readHere(bytes: ArrayBuffer): unknown {
  return metricsOf(readExposition(new TextDecoder().decode(bytes), metricFamilies))
}
