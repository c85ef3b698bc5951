import type { EvidenceProgress, OpenedEvidence } from '~/proof/check-evidence'
import { openWorker } from '../session/open-worker'

type News =
  | { number: 0; progress: EvidenceProgress }
  | { number: 0; verified: OpenedEvidence }
  | { number: 0; failure: string }

/** A worker that waits for a file; it is ended with a file that is given up. */
let ready: Worker | null = null

/** Fetches the worker, for a file that may come when the server is gone. */
export function openEvidenceWorker(): void {
  ready ??= openWorker('proof')
}

/** A file that is read and checked. */
export type EvidenceReading = {
  opened: Promise<OpenedEvidence>
  /** Ends it at once; `opened` is never settled then. */
  cancel: () => void
}

/** Bytes of a file that are checked on the page itself where no worker can be had. */
const smallFile = 1_048_576

const noWorker =
  'This browser does not let the console work in the background, which a file of this size needs.'
const brokeOff =
  'The check of this file broke off. It may need more memory than this browser gives a page.'

/** Reads and checks a file in a worker, as `openEvidence` of the engine does. */
export function readEvidenceFile(
  file: Pick<File, 'size' | 'text'>,
  known: readonly string[],
  tell: (progress: EvidenceProgress) => void,
): EvidenceReading {
  const worker = ready ?? openWorker('proof')
  ready = null
  const here = async (why: string): Promise<OpenedEvidence> => {
    if (file.size > smallFile) return { error: why }
    const { openEvidence } = await import('~/proof/engine')
    return openEvidence(await file.text(), new Set(known), tell)
  }
  if (!worker) return { opened: here(noWorker), cancel: () => {} }
  const heard = new AbortController()
  const { signal } = heard
  const opened = new Promise<OpenedEvidence>((resolve, reject) => {
    const hear = ({ data }: MessageEvent<News>) => {
      if ('progress' in data) return tell(data.progress)
      heard.abort()
      // The next file finds it here, also when the server is gone.
      ready ??= worker
      if ('verified' in data) resolve(data.verified)
      else reject(new Error(data.failure))
    }
    const fail = () => {
      heard.abort()
      worker.terminate()
      here(brokeOff).then(resolve, reject)
    }
    worker.addEventListener('message', hear, { signal })
    worker.addEventListener('error', fail, { signal })
  })
  const cancel = () => {
    if (signal.aborted) return
    heard.abort()
    worker.terminate()
    openEvidenceWorker()
  }
  worker.postMessage({ kind: 'evidence', number: 0, file, known })
  return { opened, cancel }
}
