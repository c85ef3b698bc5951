import type { Locator, Page } from 'playwright-core'
import type { Api } from './api'
import type { ConsolePage } from './console-page'
import type { Doing, Role } from './roles'

/** Somebody signed in, at the screen of the thing that is done. */
export type Stage = {
  readonly console: ConsolePage
  readonly page: Page
  readonly admin: Api
  readonly role: Role
  readonly own: string
  readonly spare: string
  readonly made: string
}

/** How it is done on the screen, and what is disabled for whoever may not. */
export type Step = {
  readonly works?: (at: Stage) => Promise<unknown>
  readonly disabled?: (at: Stage) => Promise<Locator>
  /** The place of the server's refusal. */
  readonly refused?: (at: Stage) => Promise<Locator>
}

export const button = ({ page }: Pick<Stage, 'page'>, name: string) =>
  page.getByRole('button', { name, exact: true })

export type Steps = Partial<Record<Doing, Step>>
