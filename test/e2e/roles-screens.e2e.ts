import { describe, expect } from 'vitest'
import { api } from '../support/api'
import { test } from '../support/e2e'
import { databaseSteps, userSteps } from '../support/role-admin-steps'
import { prepared } from '../support/role-calls'
import type { Stage, Step, Steps } from '../support/role-stage'
import { otherSteps, querySteps } from '../support/role-steps'
import {
  type Cell,
  cellOf,
  type Doing,
  doings,
  matrix,
  password,
  passwordOf,
  roles,
} from '../support/roles'

const steps: Steps = {
  ...otherSteps,
  ...databaseSteps,
  ...userSteps,
  ...querySteps,
}

/** Screens in the order in which they are visited, with what is done on each. */
const tour: readonly (readonly [string, readonly Doing[]])[] = [
  ['Overview', ['see health, state and figures', 'see the security check-up', 'see the metrics']],
  ['Users', keysOf(userSteps)],
  ['Query', keysOf(querySteps)],
  [
    'Keys',
    ['list the keys', 'get a key', 'see the revisions of a key', 'get a key with its proof'],
  ],
  ['Settings', ['change a setting of this browser']],
  ['Databases', keysOf(databaseSteps)],
]

function keysOf(of: Steps): Doing[] {
  return doings.filter((doing) => doing in of)
}

/** Does it, or finds it disabled or refused with the reason; throws otherwise. */
async function shows(step: Step, cell: Cell, at: Stage): Promise<void> {
  if (cell.outcome === 'works') {
    if (!step.works) throw new Error('nothing says how it is done')
    await step.works(at)
    return
  }
  if (cell.outcome === 'refused') {
    const refusal = await step.refused?.(at)
    await refusal?.getByText('Permission denied.', { exact: true }).waitFor()
    if (!refusal) throw new Error('nothing says how it is refused')
    return
  }
  const control = await step.disabled?.(at)
  if (!control) throw new Error('nothing says what is disabled')
  await expect.poll(() => control.getAttribute('aria-disabled')).toBe('true')
  await expect.poll(() => control.getAttribute('title')).toContain(cell.reason)
}

test('every cell that names no other test is shown by this one', () => {
  const toured = new Set(tour.flatMap(([, doings]) => doings))
  const left = doings.filter(
    (doing) => !toured.has(doing) && matrix[doing].some((cell) => cell.shownBy === undefined),
  )
  expect(left).toEqual([])
})

describe.for(roles)('the $role', (role) => {
  test('does what may be done, and is told why the rest may not', async ({ server, open }) => {
    const admin = await api(server.url)
    await admin.createDatabase('foreign').catch(() => {})
    const { own, spare, made } = await prepared(server.url, admin, role)
    const account = { user: role.user, password: passwordOf(role), database: own }
    if (role.level >= 254) {
      const maker = await api(server.url, account)
      await maker.createUser(made, password, 1, spare)
      await maker.call('/user/changepermission', {
        action: 'GRANT',
        username: made,
        database: own,
        permission: 2,
      })
      await maker.call('/user/changesqlprivileges', {
        action: 'REVOKE',
        username: made,
        database: own,
        privileges: ['INSERT'],
      })
    }
    const console = await open(server.url)
    const at = { console, page: console.page, admin, role, own, spare, made }
    await console.signIn(`/?db=${own}`, account.user, account.password)
    const wrong: string[] = []
    for (const [screen, doings] of tour) {
      await console.link(screen).click()
      for (const doing of doings) {
        const cell = cellOf(doing, role)
        const step = steps[doing]
        if (cell.shownBy !== undefined || !step) continue
        await shows(step, cell, at).catch((error: Error) =>
          wrong.push(`${doing}: ${error.message}`),
        )
      }
    }
    expect(wrong).toEqual([])
  })
})
