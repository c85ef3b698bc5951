import { ApiError, sentence } from '~/api/errors'
import { messages } from '~/lib/messages'
import { asSentence } from '~/lib/text'

/** The sentence under the login form. An answer that is none counts as “received no response”. */
export function loginFailure(error: unknown): string {
  if (error instanceof ApiError && error.kind === 'bad-answer') {
    return asSentence(messages.noLoginResponse)
  }
  return sentence(error)
}
