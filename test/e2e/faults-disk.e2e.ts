import { rm, statfs, writeFile } from 'node:fs/promises'
import { describe, expect } from 'vitest'
import { api } from '../support/api'
import { test } from '../support/e2e'
import type { ImmudbServer } from '../support/immudb'
import { getValue, KeysPage, setKeys } from '../support/keys-page'

/** Takes all room of the server's disk but so much; returns what gives it back. */
async function fillDisk({ disk }: ImmudbServer, left: number): Promise<() => Promise<void>> {
  const ballast = `${disk}/ballast`
  const { bavail, bsize } = await statfs(disk)
  await writeFile(ballast, Buffer.alloc(bavail * bsize - left, 1))
  return () => rm(ballast)
}

describe('a full disk', () => {
  test('F24: held up, then unknown; reads go on; once there is room the check finds it', async ({
    serve,
    open,
  }) => {
    if (process.getuid?.() !== 0) {
      process.stderr.write(
        '\n*** F24 WAS NOT RUN: a full disk needs root (unshare, mount). ***\n\n',
      )
      return
    }
    const server = await serve({ diskSize: 24 })
    const db = await api(server.url)
    await setKeys(db, [['small', 'still readable']])
    const console = await open(server.url)
    await console.signIn('/keys')
    const keys = new KeysPage(console.page)
    await keys.button('List').click()
    await keys.option('small').waitFor()
    const makeRoom = await fillDisk(server, 100_000)
    const value = 'f24 '.repeat(50_000)
    await keys.set(Buffer.from('f24'), Buffer.from(value), true)
    await keys.entry.getByText(/does not finish it. Its disk may be full/).waitFor()
    const other = new KeysPage(await console.visit.tab())
    await other.page.goto(`${server.url}/keys?key=small`)
    await other.entry.getByText('still readable').waitFor()
    await other.page.goto(`${server.url}/`)
    const attention = other.page.getByRole('region', { name: 'Needs attention' })
    await attention.getByText('Disk full').waitFor()
    expect((await fetch(`${server.url}/readyz`)).status).toBe(503)
    await keys.entry
      .getByText(/It is not known whether this was stored/)
      .waitFor({ timeout: 45_000 })
    await makeRoom()
    await expect
      .poll(() => getValue(db, 'f24').then(String, () => ''), { timeout: 40_000 })
      .toBe(value)
    await keys.button('Check now').click()
    await keys.entry.getByText(/holds exactly this value/).waitFor()
  })
})
