import type { ComponentType } from 'react'
import type { Fleet } from '~/atoms/servers/fleet'
import type { Credentials } from '~/atoms/session/login'

export type BesideLogin = {
  fleet: Fleet
  /** What to do once a login has succeeded. */
  then: { current: ((credentials: Credentials) => void) | null }
}

/** What the login form shows where there are several servers; they come with the list. */
export const besideLogin: {
  Server?: ComponentType<BesideLogin>
  Choice?: ComponentType<BesideLogin>
} = {}
