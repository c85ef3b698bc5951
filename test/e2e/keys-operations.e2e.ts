import { describe, expect } from 'vitest'
import { api } from '../support/api'
import type { ConsolePage } from '../support/console-page'
import { test } from '../support/e2e'
import { base64, getValue, setKeys } from '../support/keys-page'

/** The dialog that sends several operations as one transaction. */
class Operations {
  readonly console: ConsolePage

  constructor(console: ConsolePage) {
    this.console = console
  }

  get send() {
    return this.console.page.getByRole('button', { name: 'Send as one transaction' })
  }

  async open() {
    await this.console.page.getByRole('button', { name: 'Several operations…' }).click()
  }

  part(number: number) {
    return this.console.page.getByRole('group', { name: `Operation ${number}`, exact: true })
  }

  async add(number: number, fields: Readonly<Record<string, string>>, kind?: string) {
    const { page } = this.console
    await page.getByRole('button', { name: 'Add an operation' }).click()
    if (kind) await this.choose(`Kind of operation ${number}`, kind)
    for (const [label, text] of Object.entries(fields)) {
      await this.part(number).getByLabel(label, { exact: true }).fill(text)
    }
  }

  async choose(box: string, option: string) {
    await this.console.page.getByRole('combobox', { name: box }).click()
    await this.console.page.getByRole('option', { name: option }).click()
  }

  says(text: string | RegExp) {
    return this.console.dialog.getByText(text)
  }
}

describe('several operations', () => {
  test('are refused when another writer comes between reading and sending', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await setKeys(db, [['raced', 'mine']])
    const read = await db.txId()
    const console = await open(server.url)
    await console.enter('/keys')
    const operations = new Operations(console)
    await operations.open()
    await operations.add(1, { Key: 'raced', Value: 'changed' })
    await operations.choose('Condition of operation 1', 'Not modified since a transaction')
    const since = operations.part(1).getByLabel('Not modified since transaction')
    await since.fill(String(read + 1_000))
    await operations.send.click()
    await operations.says(/^Operation 1: there is no tx/).waitFor()
    await since.fill(String(read))
    await setKeys(db, [['raced', 'theirs']])
    await operations.send.click()
    await operations
      .says(/A condition is not met: the key of operation 1 was written in tx/)
      .waitFor()
    await operations.says('Nothing was stored.').waitFor()
    expect((await getValue(db, 'raced')).toString()).toBe('theirs')
    expect(await operations.part(1).getByLabel('Value', { exact: true }).inputValue()).toBe(
      'changed',
    )
  })

  test('may come in any order, let values expire, and are told apart as immudb does', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    const console = await open(server.url)
    await console.enter('/keys')
    const operations = new Operations(console)
    await operations.open()
    await operations.add(1, { Key: 'first:ref', 'Refers to': 'nowhere' }, 'Set a reference')
    await operations.add(2, {
      Key: 'later',
      Value: 'v',
      'Expires at (UTC)': '2099-01-01 00:00:00',
    })
    for (const [number, score] of [
      [3, '1'],
      [4, '2'],
    ] as const) {
      const fields = { Set: 'ranks', Score: score, Key: 'later' }
      await operations.add(number, fields, 'Add to a sorted set')
    }
    await operations.says(/^Operations 3 and 4 are the same to immudb/).waitFor()
    await console.page.getByRole('button', { name: 'Remove operation 4' }).click()
    await operations.send.click()
    await operations
      .says('Operation 1: The key that it refers to does not exist, was deleted or has expired.')
      .waitFor()
    await operations.part(1).getByLabel('Refers to', { exact: true }).fill('later')
    await operations.send.click()
    await operations.says(/^Stored in tx \d+\.$/).waitFor()
    expect((await getValue(db, 'first:ref')).toString()).toBe('v')
    const stored = await db.call<{ metadata: object }>(`/db/get/${base64('later')}`)
    const expiresAt = String(Date.UTC(2099, 0, 1) / 1_000)
    expect(stored.metadata).toEqual({ expiration: { expiresAt } })
  })

  test('stay unknown over a reload and a log-out, until a check finds them', async ({
    server,
    proxy,
    open,
  }) => {
    const db = await api(server.url)
    await setKeys(db, [['there', 'x']])
    const console = await open(proxy.url)
    await console.signIn('/keys')
    const operations = new Operations(console)
    await operations.open()
    await operations.add(1, {
      Key: 'lost',
      Value: 'answer',
      'Expires at (UTC)': '2099-01-01 00:00:00',
    })
    await operations.add(2, { Set: 'ranks', Score: '-1', Key: 'there' }, 'Add to a sorted set')
    const before = await db.txId()
    const mend = proxy.fault({ path: '/api/db/execall', fault: { kind: 'dropAnswer' } })
    await operations.send.click()
    await operations.says(/^It is not known whether these operations were stored\./).waitFor()
    mend()
    await console.page.reload()
    await operations.says(/this page saw no answer/).waitFor()
    await console.dialog.getByRole('button', { name: 'Close', exact: true }).click()
    await console.logOut()
    await console.signIn('/keys')
    await console.page
      .getByText('2 operations sent. It is not known whether they were stored.')
      .waitFor()
    await console.page.getByRole('button', { name: 'Continue with them' }).click()
    await console.dialog.getByRole('button', { name: 'Check now' }).click()
    await operations.says(/holds exactly these operations/).waitFor()
    expect(await db.txId()).toBe(before + 1)
    await console.page.getByRole('button', { name: 'Done' }).click()
    await console.page.getByText(/operations sent/).waitFor({ state: 'detached' })
  })
})
