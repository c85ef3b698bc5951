import { describe, expect } from 'vitest'
import { api } from '../support/api'
import { axeViolations } from '../support/axe'
import type { Theme } from '../support/browser'
import type { ConsolePage } from '../support/console-page'
import { test } from '../support/e2e'
import { base64, KeysPage, setKeys } from '../support/keys-page'
import { shot } from '../support/shots'

const sizes = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const
const themes: readonly Theme[] = ['dark', 'light']
const looks = Object.entries(sizes).flatMap(([size, viewport]) =>
  themes.map((theme) => ({ size, viewport, theme })),
)

const json = '{"id":1,"balance":9007199254740993,"tags":["a","b"],"address":{"city":"Rome"}}'

async function checked(console: ConsolePage, name: string) {
  await shot(console.page, name)
  expect((await axeViolations(console.page)).join('\n'), name).toBe('')
}

describe.for(looks)('axe on keys, $theme, $size', ({ size, viewport, theme }) => {
  test('list, values, form, conflict and dialog have no violation', async ({ server, open }) => {
    const db = await api(server.url)
    const name = `look:${theme}:${size}`
    await setKeys(db, [
      [`${name}:json`, json],
      [`${name}:text`, 'first\nand second'],
      [Buffer.from(`${name}:\xff`, 'latin1'), Buffer.from('89504e470d0a1a0a00ff', 'hex')],
      [`${name}:${'long '.repeat(150)}`, 'x'],
      [`${name}:gone`, 'x'],
      [`${name}:abc\u202edef`, '<img src=x onerror=window.__pwn=1>'],
    ])
    await db.call('/db/deletekey', { keys: [base64(`${name}:gone`)] })
    const look = `${theme}-${size}`
    const console = await open(server.url, { viewport })
    await console.seed({ view: { theme } })
    await console.signIn(`/keys?prefix=${name}:`)
    const keys = new KeysPage(console.page)
    await keys.option(`${name}:json`).waitFor()
    await checked(console, `keys-list-${look}`)
    const openKey = async (key: string, text: string) => {
      await console.open(`/keys?${new URLSearchParams({ prefix: `${name}:`, key })}`)
      await console.signedIn()
      await keys.entry.getByText(text).first().waitFor()
      await keys.heading('Revisions').waitFor()
    }
    await openKey(`${name}:json`, '9007199254740993')
    await checked(console, `keys-json-${look}`)
    await openKey(
      `b64:${Buffer.from(`${name}:\xff`, 'latin1').toString('base64url')}`,
      '89 50 4e 47',
    )
    await checked(console, `keys-hex-${look}`)
    await openKey(`${name}:gone`, 'This key was deleted')
    await checked(console, `keys-deleted-${look}`)
    await openKey(`${name}:text`, 'and second')
    await keys.button('Get with proof').click()
    await keys.entry.getByText('Reported by server').waitFor()
    await checked(console, `keys-proof-${look}`)
    await keys.button('Delete…').click()
    await console.page.getByRole('dialog').waitFor()
    await checked(console, `keys-delete-${look}`)
    await keys.button('Cancel').click()
    await keys.change('mine')
    await checked(console, `keys-form-${look}`)
    await setKeys(db, [[`${name}:text`, 'theirs']])
    await keys.button('Save').click()
    await keys.alert.getByText(/changed meanwhile/).waitFor()
    await checked(console, `keys-conflict-${look}`)
    await keys.button('Discard mine').click()
    await console.open(`/keys?prefix=${name}:nothing`)
    await console.signedIn()
    await console.page.getByText('No such keys').waitFor()
    await checked(console, `keys-none-${look}`)
  })
})
