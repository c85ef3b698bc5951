import { type EvidenceProgress, openEvidenceFile } from '~/proof/check-evidence'
import type { Context } from '~/proof/kernel/context'
import { ProofError } from '~/proof/kernel/steps'
import { type Kind, verify } from '~/proof/kernel/verify'
import { type RowsAsked, rowsInTx } from '~/proof/kernel/verify-row'

type Asked =
  | { number: number; kind: Kind; context: Context | null; request: unknown; response: unknown }
  /** Rows among the entries of an already proven transaction. */
  | ({ number: number; kind: 'rows' } & RowsAsked)
  /** An evidence file. The worker reads it itself, because it may have many megabytes. */
  | { number: number; kind: 'evidence'; file: File; known: readonly string[] }

/** Checks proofs outside the page, one after the other. A refusal is a normal answer. */
addEventListener('message', ({ data }: MessageEvent<Asked>) => {
  const { number } = data
  checkAsked(data)
    .then((verified) => postMessage({ number, verified }))
    .catch((error: unknown) => postMessage({ number, ...writeFailure(error) }))
})

async function checkAsked(asked: Asked): Promise<unknown> {
  if (asked.kind === 'rows') return rowsInTx(asked)
  if (asked.kind === 'evidence') {
    const { number, file, known } = asked
    const tell = (progress: EvidenceProgress) => postMessage({ number, progress })
    return openEvidenceFile(file, new Set(known), tell)
  }
  const { kind, context, request, response } = asked
  return verify(kind, context, request, response)
}

/** Messages between threads drop the extra fields of our errors. */
function writeFailure(error: unknown) {
  if (!(error instanceof ProofError)) return { failure: String(error) }
  const { reason, step, part, compared, steps } = error
  return { refused: { reason, step, part, compared, steps } }
}
