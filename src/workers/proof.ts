import { type EvidenceProgress, openEvidence } from '~/proof/check-evidence'
import type { Context } from '~/proof/context'
import type { EntryFacts } from '~/proof/facts'
import { ProofError } from '~/proof/failure'
import { withValues } from '~/proof/values'
import { type Kind, verify } from '~/proof/verify'

type Asked =
  | { number: number; kind: Kind; context: Context | null; request: unknown; response: unknown }
  /** Values for the entries of a transaction that was proven before. */
  | { number: number; kind: 'values'; entries: readonly EntryFacts[]; tx: unknown }
  /** A file of evidence, which the worker reads itself: it may be many megabytes long. */
  | { number: number; kind: 'evidence'; file: File; known: readonly string[] }

/** Checks proofs apart from the page, one after the other; a refusal is an answer like any other. */
addEventListener('message', ({ data }: MessageEvent<Asked>) => {
  const { number } = data
  checkAsked(data)
    .then((verified) => postMessage({ number, verified }))
    .catch((error: unknown) => postMessage({ number, ...writeFailure(error) }))
})

async function checkAsked(asked: Asked): Promise<unknown> {
  if (asked.kind === 'values') return withValues(asked.entries, asked.tx)
  if (asked.kind === 'evidence') {
    const { number, file, known } = asked
    const tell = (progress: EvidenceProgress) => postMessage({ number, progress })
    return openEvidence(await file.text(), new Set(known), tell)
  }
  const { kind, context, request, response } = asked
  return verify(kind, context, request, response)
}

/** The fields of an error of our own do not survive the way by themselves. */
function writeFailure(error: unknown) {
  if (!(error instanceof ProofError)) return { failure: String(error) }
  const { reason, step, part, compared, steps } = error
  return { refused: { reason, step, part, compared, steps } }
}
