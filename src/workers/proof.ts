import type { Context } from '~/proof/context'
import { ProofError } from '~/proof/failure'
import { type Kind, verify } from '~/proof/verify'

type Asked = {
  number: number
  kind: Kind
  context: Context | null
  request: unknown
  response: unknown
}

/** Checks proofs apart from the page, one after the other; a refusal is an answer like any other. */
addEventListener('message', ({ data }: MessageEvent<Asked>) => {
  const { number, kind, context, request, response } = data
  verify(kind, context, request, response).then(
    (verified) => postMessage({ number, verified }),
    (error: unknown) => postMessage({ number, ...told(error) }),
  )
})

/** The fields of an error of our own do not survive the way by themselves. */
function told(error: unknown) {
  if (!(error instanceof ProofError)) return { failure: String(error) }
  const { reason, step, part, compared, steps } = error
  return { refused: { reason, step, part, compared, steps } }
}
