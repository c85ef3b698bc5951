import { messages } from '~/lib/messages'

export type LoginFields = { user: string; password: string }
export type LoginErrors = Partial<Record<keyof LoginFields, string>>

/** Both fields are required; nothing else is known about them before the server is asked. */
export function loginErrors(fields: LoginFields): LoginErrors {
  const errors: LoginErrors = {}
  if (fields.user === '') errors.user = messages.required
  if (fields.password === '') errors.password = messages.required
  return errors
}
