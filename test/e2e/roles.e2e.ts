import { describe, expect } from 'vitest'
import { api } from '../support/api'
import { test } from '../support/e2e'
import { type Asking, calls, prepared } from '../support/role-calls'
import { cellOf, type Doing, isDoing, passwordOf, type Role, roles } from '../support/roles'

/** The server's own words, or null when it did what it was asked. */
async function answer(doing: Doing, asking: Asking): Promise<string | null> {
  try {
    await calls[doing]?.(asking)
    return null
  } catch (error) {
    const text = error instanceof Error && 'text' in error ? String(error.text) : String(error)
    return text.startsWith('{') ? JSON.parse(text).error : text
  }
}

function expected(doing: Doing, role: Role): RegExp | null {
  const cell = cellOf(doing, role)
  return cell.outcome === 'works' ? null : cell.says
}

describe.for(roles)('the server, asked by the $role,', (role) => {
  test('does what the console allows, and refuses what the console disables', async ({
    server,
  }) => {
    const admin = await api(server.url)
    const { own, spare, made } = await prepared(server.url, admin, role)
    const own_ = { user: role.user, password: passwordOf(role), database: own }
    const asking = { api: await api(server.url, own_), admin, role, own, spare, made }
    const wrong: string[] = []
    // The table's order would end the session or the database too early.
    for (const doing of Object.keys(calls).filter(isDoing)) {
      const said = await answer(doing, asking)
      const should = expected(doing, role)
      const isRight = should === null ? said === null : said !== null && should.test(said)
      if (!isRight) wrong.push(`${doing}: ${said ?? 'done'}, expected ${should ?? 'done'}`)
      // A role that may not add a user needs an existing one for the refusal.
      if (doing === 'add a user' && said !== null) {
        await (await api(server.url)).createUser(made, passwordOf(role), 1, own)
      }
    }
    expect(wrong).toEqual([])
  })
})
