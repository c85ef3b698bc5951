import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { api } from '../support/api'
import { type Visit, visitInFolder } from '../support/browser'
import { ConsolePage } from '../support/console-page'
import { test } from '../support/e2e'
import type { ImmudbServer } from '../support/immudb'
import { KeysPage, setKeys } from '../support/keys-page'
import { readStorage } from '../support/page-storage'
import { searchProfile } from '../support/profile'

/** Values of the server that nobody types, so that only an answer can have brought them. */
const inTable = 'canary-of-a-row-7f3a9c'
const inKey = 'canary-of-a-key-51be08'

async function fill(server: ImmudbServer): Promise<void> {
  const db = await api(server.url)
  await db.exec('CREATE TABLE notes (id INTEGER, note VARCHAR, PRIMARY KEY id);')
  await db.exec(`INSERT INTO notes (id, note) VALUES (1, '${inTable}');`)
  await setKeys(db, [['plain', inKey]])
}

/** Reads values on two screens and logs out. */
async function readAndLogOut(visit: Visit, url: string, isStored: boolean): Promise<ConsolePage> {
  const console = new ConsolePage(visit, url)
  await console.open('/query')
  if (!isStored) await console.page.getByRole('checkbox', { name: /stay signed in/i }).uncheck()
  await console.submitLogin()
  await console.signedIn()
  if (isStored) await console.keepsSession()
  await console.runSql('SELECT note FROM notes;')
  await console.cell(1, inTable).waitFor()
  await console.link('Keys').click()
  await new KeysPage(console.page).get('plain')
  await console.page.getByText(inKey).first().waitFor()
  await console.link('Overview').click()
  await console.page.getByRole('heading', { name: 'Overview' }).waitFor()
  await console.logOut()
  await console.signedOut()
  return console
}

describe.each(['webconsole', 'drop-in'] as const)(
  'the profile folder after a log-out, %s',
  (kind) => {
    test.for([false, true])('stay signed in: %s', async (isStored, { serve }) => {
      const server = await serve({ kind })
      await fill(server)
      const folder = await mkdtemp(join(tmpdir(), 'webconsole-profile-'))
      try {
        const visit = await visitInFolder(folder, server.url)
        const console = await readAndLogOut(visit, server.url, isStored)
        const { secrets } = visit.watch
        const kept = [...(await readStorage(console.page)).values()].join('\n')
        await visit.end()
        expect(secrets).not.toEqual([])
        // The middle of a token is in it once; what is alike in all of them tells nothing.
        const tokens = secrets.map((token) => token.slice(40, 80))
        const wanted = [...tokens, inTable, inKey]
        expect(wanted.filter((text) => kept.includes(text))).toEqual([])
        const leaks = searchProfile(folder, wanted)
        // The browser's databases keep deleted records until they compact; the README says so.
        expect(leaks.filter(({ isDatabase }) => !(isStored && isDatabase))).toEqual([])
        // The search reads what the cache holds: this text is in a script that came compressed.
        expect(searchProfile(folder, ['Log in to continue'])).not.toEqual([])
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    })
  },
)
