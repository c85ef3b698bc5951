import { describe, expect } from 'vitest'
import type { ConsolePage } from '../support/console-page'
import { test, walk } from '../support/e2e'
import { GuidePage } from '../support/guide-page'
import { look, phone, sizes, unhurried } from '../support/looks'
import { shot } from '../support/shots'

/** Whether the top of a heading is near the top of the content, and the page itself stands still. */
async function isAtTop(guide: GuidePage, name: string): Promise<boolean> {
  const box = await guide.heading(name).boundingBox()
  const scrolled = await guide.page.evaluate(() => document.scrollingElement?.scrollTop)
  return box !== null && box.y > 48 && box.y < 200 && scrolled === 0
}

const isFocused = (guide: GuidePage, name: string) =>
  guide.heading(name).evaluate((heading) => heading === document.activeElement)

/** Runs in the page: keeps what is copied, since a page may not read the clipboard. */
function keepCopied() {
  const clipboard = {
    writeText: async (text: string) => {
      Reflect.set(window, 'copied', text)
    },
  }
  Object.defineProperty(navigator, 'clipboard', { value: clipboard })
}

const copied = ({ page }: ConsolePage) => page.evaluate(() => Reflect.get(window, 'copied'))

describe('anchors', () => {
  test('a link from elsewhere leads through the login to its heading', async ({ server, open }) => {
    const console = await open(server.url)
    const guide = new GuidePage(console)
    await console.enter('/guide#time-until')
    await guide.heading('As it was').waitFor()
    await expect.poll(() => isFocused(guide, 'As it was')).toBe(true)
    await expect.poll(() => isAtTop(guide, 'As it was')).toBe(true)
    expect(new URL(guide.page.url()).hash).toBe('#time-until')
    await expect.poll(() => guide.current.textContent()).toBe('As it was')
  })

  test('the contents lead on, and “back” leads back', async ({ server, open }) => {
    const console = await open(server.url)
    const guide = new GuidePage(console)
    await console.enter('/guide')
    await guide.ready()
    await guide.contents.getByRole('link', { name: 'SQL', exact: true }).click()
    await expect.poll(() => isFocused(guide, 'SQL')).toBe(true)
    await guide.contents.getByRole('link', { name: 'JSON', exact: true }).click()
    await expect.poll(() => isFocused(guide, 'JSON')).toBe(true)
    await expect.poll(() => guide.current.textContent()).toBe('JSON')
    await guide.page.goBack()
    await expect.poll(() => isFocused(guide, 'SQL')).toBe(true)
    await expect.poll(() => guide.current.textContent()).toBe('SQL')
    await guide.page.keyboard.press('PageDown')
    await expect.poll(() => guide.current.textContent()).not.toBe('SQL')
  })

  test('a link within the text shows what a search has hidden', async ({ server, open }) => {
    const console = await open(server.url)
    const guide = new GuidePage(console)
    await console.enter('/guide?q=phrase+does+not+exist')
    await guide.page.getByText('Nothing in the guide has').waitFor()
    await guide.field.fill('not comparable types NULL')
    await guide.heading('Values are refused').waitFor()
    await guide.page.getByRole('link', { name: 'Types', exact: true }).last().click()
    await expect.poll(() => isFocused(guide, 'Types')).toBe(true)
    await expect.poll(() => guide.field.inputValue()).toBe('')
  })

  test('on a phone the contents open above the text and close behind one', async ({
    server,
    open,
  }) => {
    const console = await open(server.url, { viewport: phone.viewport })
    const guide = new GuidePage(console)
    await console.enter('/guide')
    await guide.ready()
    expect(await guide.contents.isVisible()).toBe(false)
    await guide.page.getByRole('button', { name: 'Contents', exact: true }).click()
    await guide.contents.getByRole('link', { name: 'Deleting', exact: true }).click()
    await guide.contents.waitFor({ state: 'hidden' })
    await expect.poll(() => isAtTop(guide, 'Deleting')).toBe(true)
  })
})

describe('the search', () => {
  test(
    'by keyboard alone: / leads there, words mark, Escape clears',
    walk,
    async ({ server, open }) => {
      const console = await open(server.url)
      const guide = new GuidePage(console)
      await console.enter('/guide#first')
      await console.keepsSession()
      // The focus comes to it when the page hears keys as well.
      await expect.poll(() => isFocused(guide, 'First steps')).toBe(true)
      const { page } = guide
      await page.keyboard.press('/')
      await expect
        .poll(() => guide.field.evaluate((field) => field === document.activeElement))
        .toBe(true)
      await page.keyboard.type('retention period')
      await page
        .getByRole('status')
        .filter({ hasText: /^\d of \d+ sections$/ })
        .waitFor()
      await guide.heading('Forgetting on purpose').waitFor()
      await expect
        .poll(() => page.locator('mark').first().textContent())
        .toMatch(/^(retention|period)$/i)
      await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('retention period')
      await page.reload()
      await guide.heading('Forgetting on purpose').waitFor()
      await expect.poll(() => guide.field.inputValue()).toBe('retention period')
      await guide.field.focus()
      await page.keyboard.press('Escape')
      await guide.ready()
      await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBeNull()
      await expect.poll(() => page.locator('mark').count()).toBe(0)
    },
  )

  test('nothing found leads back by one press', async ({ server, open }) => {
    const console = await open(server.url)
    const guide = new GuidePage(console)
    await console.enter('/guide')
    await guide.ready()
    await guide.field.fill('<img src=x onerror=alert(1)>')
    await guide.page.getByText('Nothing in the guide has “<img src=x onerror=alert(1)>”').waitFor()
    await guide.page
      .getByRole('button', { name: 'Clear the search', exact: true })
      .filter({ hasText: 'Clear the search' })
      .click()
    await guide.ready()
  })
})

describe('examples', () => {
  const line =
    "INSERT INTO items (name, price) VALUES ('Lamp', 24.5), ('Chair', 79.0), ('Shelf', NULL)"

  test('one goes to the editor as it is and does not run', async ({ server, open }) => {
    const console = await open(server.url)
    const guide = new GuidePage(console)
    await console.enter('/guide?q=upsert')
    const sent: string[] = []
    guide.page.on('request', (request) => {
      if (/\/db\/sqlexec$/.test(request.url())) sent.push(request.postData() ?? '')
    })
    await guide.example(line).getByRole('link', { name: 'Open in Query', exact: true }).click()
    await console.holds(line)
    await guide.page.getByText('It was not run').waitFor()
    await expect.poll(() => new URL(guide.page.url()).searchParams.get('sql')).toBeNull()
    expect(sent).toEqual([])
  })

  test('one can be copied, and so can the link to a heading', async ({ server, open }) => {
    const console = await open(server.url, { before: keepCopied })
    const guide = new GuidePage(console)
    await console.enter('/guide?q=upsert')
    await guide.example(line).getByRole('button', { name: 'Copy the SQL', exact: true }).click()
    await expect.poll(() => copied(console)).toBe(line)
    await guide.page
      .getByRole('button', { name: 'Copy the link to “Writing rows”', exact: true })
      .click()
    await expect.poll(() => copied(console)).toBe(`${server.url}/guide#sql-write`)
  })

  test('a key goes to the page Keys', async ({ server, open }) => {
    const console = await open(server.url)
    const guide = new GuidePage(console)
    await console.enter('/guide?q=greeting')
    const example = guide.example('guide:greeting')
    await example.getByRole('link', { name: 'Open in Keys', exact: true }).click()
    await guide.page
      .getByRole('region', { name: 'The open key' })
      .getByText('guide:greeting')
      .first()
      .waitFor()
  })
})

test('on paper there is the whole guide and nothing around it', async ({ server, open }) => {
  const console = await open(server.url)
  const guide = new GuidePage(console)
  await console.seed({ view: { theme: 'dark' } })
  await console.signIn('/guide')
  await guide.ready()
  await guide.page.emulateMedia({ media: 'print' })
  await console.navigation.waitFor({ state: 'hidden' })
  await guide.field.waitFor({ state: 'hidden' })
  await guide.heading('Glossary').waitFor()
  const inkOf = () => guide.page.evaluate(() => getComputedStyle(document.body).color)
  await expect.poll(inkOf).toBe('rgb(16, 32, 46)')
  const size = await guide.page.evaluate(() => {
    const content = document.getElementById('content')
    return { inner: content?.scrollHeight ?? 0, shown: content?.clientHeight ?? 0 }
  })
  expect(size.shown).toBe(size.inner)
  expect(size.inner).toBeGreaterThan(10_000)
  await shot(guide.page, 'guide-print')
})

describe.for(sizes)('axe on the guide, $size', unhurried, ({ size, viewport }) => {
  test('no violation, and nothing is wider than the page', async ({ server, open }) => {
    const console = await open(server.url, { viewport })
    const guide = new GuidePage(console)
    await console.enter('/guide')
    await guide.ready()
    const excess = await guide.page.evaluate(() => {
      const content = document.getElementById('content')
      return content ? content.scrollWidth - content.clientWidth : -1
    })
    expect(excess).toBe(0)
    await look(console, 'guide')
    await guide.field.fill('name quotes')
    await guide.page.locator('mark').first().waitFor()
    await look(console, 'guide-search')
    if (size === 'phone') {
      await guide.page.getByRole('button', { name: 'Contents', exact: true }).click()
      await guide.contents.waitFor()
      await look(console, 'guide-contents')
    }
    await guide.field.fill('zebra')
    await guide.page.getByText('Nothing in the guide has').waitFor()
    await look(console, 'guide-none')
  })
})
