import type { ComponentType } from 'react'
import type { Credentials } from '~/core/session/login'

/** What the login form has besides where there are several servers; it comes with their list. */
export const besideLogin: {
  Server?: ComponentType
  Choice?: ComponentType
  /** What to do once a login has succeeded. */
  after?: ((credentials: Credentials) => void) | undefined
} = {}
