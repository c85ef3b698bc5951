import type { Locator, Page } from 'playwright-core'
import type { Api } from './api'
import type { ConsolePage } from './console-page'
import type { Doing, Role } from './roles'

/** A logged-in user on the screen of the action. */
export type Stage = {
  readonly console: ConsolePage
  readonly page: Page
  readonly admin: Api
  readonly role: Role
  readonly own: string
  readonly spare: string
  readonly made: string
}

/** How the action is done on the screen, and which control is disabled without permission. */
export type Step = {
  readonly works?: (at: Stage) => Promise<unknown>
  readonly disabled?: (at: Stage) => Promise<Locator>
  /** The place of the server's refusal. */
  readonly refused?: (at: Stage) => Promise<Locator>
}

export const button = ({ page }: Pick<Stage, 'page'>, name: string) =>
  page.getByRole('button', { name, exact: true })

export type Steps = Partial<Record<Doing, Step>>
