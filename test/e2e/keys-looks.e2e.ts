import { describe } from 'vitest'
import { api } from '../support/api'
import { test } from '../support/e2e'
import { base64, KeysPage, setKeys } from '../support/keys-page'
import { look, phone, sizes, staysOpenWhenTurned, unhurried } from '../support/looks'

const json = '{"id":1,"balance":9007199254740993,"tags":["a","b"],"address":{"city":"Rome"}}'

describe.for(sizes)('axe on keys, $size', unhurried, ({ size, viewport }) => {
  test('list, values, form, conflict and dialog have no violation', async ({ server, open }) => {
    const db = await api(server.url)
    const name = `look:${size}`
    await setKeys(db, [
      [`${name}:json`, json],
      [`${name}:text`, 'first\nand second'],
      [Buffer.from(`${name}:\xff`, 'latin1'), Buffer.from('89504e470d0a1a0a00ff', 'hex')],
      [`${name}:${'long '.repeat(150)}`, 'x'],
      [`${name}:gone`, 'x'],
      [`${name}:abc\u202edef`, '<img src=x onerror=window.__pwn=1>'],
    ])
    await db.call('/db/deletekey', { keys: [base64(`${name}:gone`)] })
    const console = await open(server.url, { viewport })
    await console.enter(`/keys?prefix=${name}:`)
    const keys = new KeysPage(console.page)
    await keys.option(`${name}:json`).waitFor()
    await look(console, 'keys-list')
    const openKey = async (key: string, text: string) => {
      await console.goTo(`/keys?${new URLSearchParams({ prefix: `${name}:`, key })}`)
      await keys.entry.getByText(text).first().waitFor()
      await keys.heading('Revisions').waitFor()
    }
    await openKey(`${name}:json`, '9007199254740993')
    await look(console, 'keys-json')
    await openKey(
      `b64:${Buffer.from(`${name}:\xff`, 'latin1').toString('base64url')}`,
      '89 50 4e 47',
    )
    await look(console, 'keys-hex')
    await openKey(`${name}:gone`, 'This key was deleted')
    await look(console, 'keys-deleted')
    await openKey(`${name}:text`, 'and second')
    await keys.button('Verify').click()
    await console.dialog.getByText('Verified in this browser').waitFor()
    await look(console, 'keys-proof')
    await console.dialog.getByRole('button', { name: 'Close', exact: true }).click()
    await keys.button('Delete…').click()
    await keys.button('Delete the key').waitFor()
    await look(console, 'keys-delete')
    await keys.button('Cancel').click()
    await keys.change('mine')
    await look(console, 'keys-form')
    await setKeys(db, [[`${name}:text`, 'theirs']])
    await keys.button('Save').click()
    await keys.alert.getByText(/changed meanwhile/).waitFor()
    await look(console, 'keys-conflict')
    await keys.button('Discard mine').click()
    await keys.button(size === 'phone' ? 'All keys' : 'Set a key').click()
    if (size === 'phone') await keys.button('Set a key').click()
    await keys.format('Format of the new key', 'Hex').click()
    await console.page.getByLabel('Key', { exact: true }).fill('zz')
    await keys.value.fill('{"a": [1, 2')
    await keys.format('Format of the new value', 'JSON').click()
    await keys.button('Save').click()
    await look(console, 'keys-set')
    await keys.button('Cancel').click()
    await console.goTo(`/keys?prefix=${name}:nothing`)
    await console.page.getByText('No such keys').waitFor()
    await look(console, 'keys-none')
  })
})

test('a question about a key stays open when a phone is turned', async ({ server, open }) => {
  await setKeys(await api(server.url), [['turned', 'x']])
  const console = await open(server.url, phone)
  await console.enter('/keys?key=turned')
  const keys = new KeysPage(console.page)
  await keys.button('Delete…').click()
  const question = keys.button('Delete the key')
  await question.waitFor()
  await staysOpenWhenTurned(console.page, question)
})

test('what is pressed is whole beside the keys at every width', async ({
  server,
  open,
  expect,
}) => {
  await setKeys(await api(server.url), [['wide/key', 'x']])
  const console = await open(server.url)
  await console.enter('/keys')
  const { page } = console
  const pane = page.getByRole('region', { name: 'Keys of the database' })
  // Which delimiter the keys have depends on those of other tests.
  await pane.getByRole('treeitem', { name: /^wide\// }).waitFor()
  for (const width of [1_440, 1_264, 1_100, 1_024, 900, 390]) {
    await page.setViewportSize({ width, height: 700 })
    const cut = await pane.evaluate((box) => {
      const edge = box.getBoundingClientRect()
      return [...box.querySelectorAll('button, input')].flatMap((one) => {
        // What a line offers is there when it is pointed at.
        if (!one.checkVisibility()) return []
        const { left, right, width } = one.getBoundingClientRect()
        const isCut = left < edge.left || right > edge.right || one.scrollWidth > one.clientWidth
        return isCut || width < 20 ? [`${one.textContent} ${Math.round(width)}`] : []
      })
    })
    expect([width, cut]).toEqual([width, []])
  }
})
