import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { evidenceSizeLimit } from '~/lib/constants'
import { writeEvidence } from '~/proof/evidence'
import type { TrustedState } from '~/proof/kernel/context'
import { publicKeyPem } from '~/proof/public-key'
import { type Visit, visit } from '../support/browser'
import { newSigner } from '../support/checkpoints'
import { test as base, walk } from '../support/e2e'
import { about, checkedOf } from '../support/evidence'
import { forkFile, signer } from '../support/fork-certificate'
import { expectAccessible, fits, phone, unhurried, wide } from '../support/looks'
import { type Vector, vectorsOf } from '../support/proofs'
import { historyOf } from '../support/proving-server'

const built = fileURLToPath(new URL('../../embed/dist/verify.html', import.meta.url))

let folder: string
let address: string
beforeAll(async () => {
  // Alone in a folder with a space in its name, as people keep it.
  folder = await mkdtemp(join(tmpdir(), 'a page '))
  const copy = join(folder, 'verify.html')
  await copyFile(built, copy)
  address = pathToFileURL(copy).href
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The page as it is opened from a disk; whatever is done there, it asks for nothing but itself. */
const test = base.extend<{ page: Page }>({
  page: async ({ browser }, use) => {
    const of: Visit = await visit(browser, address, { isNew: true })
    of.spoil()
    await of.page.goto(address)
    await heading(of.page, 'Check an evidence file').waitFor()
    await use(of.page)
    // Firefox does not tell of the page itself. What the policy stops is a problem of the watch.
    const others = of.watch.requests.filter((url) => url !== address)
    expect(others.filter((url) => !/^(data|about):/.test(url))).toEqual([])
    const fetched = () => performance.getEntriesByType('resource').map(({ name }) => name)
    expect(await of.page.evaluate(fetched)).toEqual([])
    await of.end()
  },
})

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name })
const field = (page: Page) => page.getByLabel('Trusted state or public key', { exact: true })
const choose = (page: Page) => page.getByLabel('Evidence file', { exact: true })
const verdict = (page: Page, title: string) =>
  page.getByRole('status').getByText(title, { exact: true })

type FromTrusted = Vector & { context: { trusted: TrustedState } }

/** A recorded answer that was checked from a state that someone trusted, and holds. */
function answerOf(
  file: Parameters<typeof vectorsOf>[0],
  isWanted: (vector: Vector) => boolean,
): FromTrusted {
  const found = vectorsOf(file).find(
    (vector) => vector.expect.verdict === 'ok' && vector.context?.trusted && isWanted(vector),
  )
  if (!found) throw new Error(`no such answer in ${file}`)
  return found as FromTrusted
}

/** A value of a key that is no newer than the state. */
const value = answerOf(
  '03-kv',
  ({ verify, context, expect: { firstUse, next } }) =>
    verify === 'get' && !firstUse && next?.txId === context?.trusted?.txId,
)

const fileOf = async (vector: Vector) => writeEvidence(await checkedOf(vector), about)

const give = (page: Page, content: string | Buffer, name = 'evidence.json') =>
  choose(page).setInputFiles({
    name,
    mimeType: 'application/json',
    buffer: typeof content === 'string' ? Buffer.from(content) : content,
  })

const stateText = ({ txId, txHash }: TrustedState) =>
  `transaction: ${txId}\nhash: ${Buffer.from(txHash, 'base64').toString('hex')}`

/** The same with another last digit of the hash. */
const otherHash = (text: string) => text.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))

async function compareWith(page: Page, text: string) {
  await field(page).fill(text)
  await button(page, 'Compare with this').click()
}

/** Presses Tab until this has the focus. */
async function tabTo(page: Page, wanted: Locator) {
  for (let press = 0; press < 60; press += 1) {
    await page.keyboard.press('Tab')
    if (await wanted.evaluate((one) => one === document.activeElement)) return
  }
  throw new Error('the Tab key does not reach it')
}

test(
  'from a disk: consistent alone, verified against a state that is given',
  walk,
  async ({ page }) => {
    await give(page, await fileOf(value))
    await verdict(page, 'Consistent in itself').waitFor()
    await heading(page, 'What could not be checked here').waitFor()
    // The steps come when they are asked for.
    expect(await page.getByRole('list', { name: 'Proof' }).count()).toBe(0)
    await button(page, 'Show the proof, step by step').click()
    await page.getByRole('list', { name: 'Proof' }).waitFor()

    const state = stateText(value.context.trusted)
    await compareWith(page, state)
    await verdict(page, 'Verified against what you gave').waitFor()
    await button(page, 'Remove all').click()
    await verdict(page, 'Consistent in itself').waitFor()
    await compareWith(page, otherHash(state))
    await verdict(page, 'The file contradicts the state you gave').waitFor()
  },
)

test(
  'a dropped file is opened, and the page is not left for it beside its place',
  walk,
  async ({ page }) => {
    const text = await fileOf(value)
    const drop = (selector: string) =>
      page.evaluate(
        ([at, content]) => {
          const dataTransfer = new DataTransfer()
          dataTransfer.items.add(new File([content], 'evidence.json', { type: 'application/json' }))
          const event = new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true })
          document.querySelector(at)?.dispatchEvent(event)
          return event.defaultPrevented
        },
        [selector, text] as const,
      )
    expect(await drop('h1')).toBe(true)
    expect(await heading(page, /^Evidence: /).count()).toBe(0)
    expect(await drop('input[type=file]')).toBe(true)
    await verdict(page, 'Consistent in itself').waitFor()
  },
)

test('works by the keyboard alone', walk, async ({ page }) => {
  await give(page, await fileOf(value))
  await verdict(page, 'Consistent in itself').waitFor()
  await tabTo(page, button(page, 'Choose another file…'))
  await tabTo(page, field(page))
  await page.keyboard.insertText(stateText(value.context.trusted))
  await tabTo(page, button(page, 'Compare with this'))
  await page.keyboard.press('Enter')
  await verdict(page, 'Verified against what you gave').waitFor()
  await tabTo(page, button(page, 'Show the proof, step by step'))
  await page.keyboard.press('Enter')
  await page.getByRole('list', { name: 'Proof' }).waitFor()
})

describe('other files', () => {
  test(
    'an audit and a fork certificate are no more than consistent alone',
    walk,
    async ({ page }) => {
      await give(page, await fileOf(answerOf('09-audit', () => true)))
      await verdict(page, 'Consistent in itself').waitFor()
      await give(
        page,
        await forkFile(
          { history: historyOf(6, 'b', 5), name: 'one' },
          { history: historyOf(7, 'c', 5), name: 'other' },
        ),
      )
      await verdict(page, 'The two states in this file belong to two histories').waitFor()
      await page.getByRole('list', { name: 'Sides of the fork' }).waitFor()
    },
  )

  test('a key vouches for what it signed, and another one contradicts it', async ({ page }) => {
    const signed = answerOf('01-state', ({ name }) => name === 'unchanged')
    await give(page, await fileOf(signed))
    await verdict(page, 'Consistent in itself').waitFor()
    const keyFile = (key: string) => ({
      name: 'key.pem',
      mimeType: 'text/plain',
      buffer: Buffer.from(publicKeyPem(key)),
    })
    const files = page.getByLabel('File with trusted states or a public key', { exact: true })
    await files.setInputFiles(keyFile(signed.context.publicKey ?? ''))
    await verdict(page, 'Verified against what you gave').waitFor()
    await button(page, 'Remove all').click()
    await files.setInputFiles(keyFile(signer().publicKey))
    await verdict(page, 'Signed with another key than the one you gave').waitFor()
  })

  test('checkpoints vouch once the key of their witness is there, too', walk, async ({ page }) => {
    const witness = newSigner('night-watch')
    const { db, trusted } = value.context
    const note = witness.note({ server: about.server.uuid ?? '', database: db, ...trusted })
    await give(page, note, 'ledger.txt')
    await page.getByText(/^These are checkpoints, which prove no content/).waitFor()
    await give(page, await fileOf(value))
    await page
      .getByLabel('File with trusted states or a public key', { exact: true })
      .setInputFiles({
        name: 'ledger.txt',
        mimeType: 'text/plain',
        buffer: Buffer.from(note),
      })
    await page.getByText(/give the key of the witness that signed them, too/).waitFor()
    await verdict(page, 'Consistent in itself').waitFor()
    await compareWith(page, witness.verifierKey)
    await verdict(page, 'Verified against what you gave').waitFor()
    await page.getByText('The state is on a checkpoint signed by night-watch.').waitFor()
  })

  test('what is no evidence is refused in words', walk, async ({ page }) => {
    const good = await fileOf(value)
    const files: [name: string, content: string | Buffer, words: string][] = [
      ['nothing', '', 'it is not JSON'],
      ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255]), 'it is not UTF-8'],
      ['deep', `${'['.repeat(600)}${']'.repeat(600)}`, 'nested deeper than 500 levels'],
      ['twice', good.replace('{', '{"kind":"tx",'), 'the name “kind” twice'],
      ['UTF-16', Buffer.from(`\ufeff${good}`, 'utf16le'), 'it is not UTF-8'],
      ['cut off', good.slice(0, -40), 'it is not JSON'],
      ['of later', good.replace('"version": 1', '"version": 2'), 'of version 2'],
    ]
    for (const [name, content, words] of files) {
      await give(page, content, `${name}.json`)
      await page.getByText(`Nothing of the file “${name}.json” was verified.`).waitFor()
      expect(await page.getByRole('alert').textContent(), name).toContain(words)
    }
    // Made in the page: it is too large to be given to some drivers.
    await choose(page).evaluate((input: HTMLInputElement, size) => {
      const chosen = new DataTransfer()
      chosen.items.add(new File([new Uint8Array(size)], 'huge.json'))
      input.files = chosen.files
      input.dispatchEvent(new Event('change', { bubbles: true }))
    }, evidenceSizeLimit + 1)
    await page.getByText('This file is larger than any evidence file.').waitFor()
  })

  test('markup in what a file says of itself stays text', async ({ page }) => {
    const markup = '<img src=x onerror="window.__pwn=1"><script>window.__pwn=1</script>'
    const said = { what: markup, server: { uuid: markup, origin: markup } }
    const content = JSON.stringify({ ...JSON.parse(await fileOf(value)), ...said })
    await give(page, content, `${markup.replaceAll('/', '')}.json`)
    await verdict(page, 'Consistent in itself').waitFor()
    expect(await page.locator('img, #root script').count()).toBe(0)
  })

  test('one of 64 MiB is announced before the page stands still', async ({ page }) => {
    const good = await fileOf(value)
    const path = join(folder, 'large.json')
    const room = evidenceSizeLimit - good.length - 20
    await writeFile(
      path,
      good.replace('{', () => `{"more":"${'x'.repeat(room)}",`),
    )
    const said = await page.evaluateHandle(() => {
      const found: string[] = []
      const note = () => {
        const [status] = document.querySelectorAll('[role=status]')
        found.push(status?.textContent ?? '')
        requestAnimationFrame(note)
      }
      note()
      return found
    })
    await choose(page).setInputFiles(path)
    await verdict(page, 'Consistent in itself').waitFor({ timeout: 120_000 })
    const drawn = (await said.jsonValue()).join('\n')
    expect(drawn).toContain('Reading “large.json”')
    expect(drawn).toContain('Checking the proof in “large.json”')
  }, 180_000)
})

describe('looks', unhurried, () => {
  test('in both themes, wide and on a phone', async ({ page }) => {
    await give(page, await fileOf(value))
    await compareWith(page, stateText(value.context.trusted))
    await verdict(page, 'Verified against what you gave').waitFor()
    await button(page, 'Show the proof, step by step').click()
    for (const { size, viewport } of [wide, phone]) {
      await page.setViewportSize(viewport)
      await expectAccessible(page, 'verify-page')
      await fits(page, `verify-page, ${size}`)
    }
  })

  test('the theme is that of the system, also when it changes', async ({ page }) => {
    for (const colorScheme of ['light', 'dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.locator(`html[data-theme=${colorScheme}]`).waitFor()
    }
  })

  test('a verdict is printed on one sheet, with what it was compared with', async ({ page }) => {
    const row = answerOf('06-sql', ({ verify, name }) => verify === 'row' && name === 'all-types')
    await give(page, await fileOf(row))
    await compareWith(page, stateText(row.context.trusted))
    await verdict(page, 'Verified in part').waitFor()
    await page.emulateMedia({ media: 'print' })
    expect(await field(page).isVisible()).toBe(false)
    expect(await page.getByRole('list', { name: 'Given' }).isVisible()).toBe(true)
    expect(await heading(page, 'What could not be checked here').isVisible()).toBe(true)
    const pdf = await page.pdf({ format: 'A4', margin: { top: '1cm', bottom: '1cm' } })
    expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)).toHaveLength(1)
  })
})

describe('at the server', () => {
  base('opens there too, with its own policy in the header', async ({ server, open }) => {
    const { page } = await open(server.url, { isNew: true })
    const answer = await page.goto(`${server.url}/verify.html`)
    const policy = answer?.headers()['content-security-policy'] ?? ''
    expect(policy).toMatch(/^default-src 'none'; script-src 'sha256-/)
    expect(policy).toContain("frame-ancestors 'none'")
    await give(page, await fileOf(value))
    await verdict(page, 'Consistent in itself').waitFor()
  })

  base(
    'is saved from where evidence is checked, without a login',
    walk,
    async ({ server, open }) => {
      const { page } = await open(server.url, { isNew: true })
      await page.goto(`${server.url}/verify?tab=evidence`)
      const saving = page.waitForEvent('download')
      await button(page, 'Save verify.html').click()
      const file = await saving
      expect(file.suggestedFilename()).toBe('verify.html')
      // A difference of two such files would take minutes to be written out.
      expect((await readFile(await file.path())).equals(await readFile(built))).toBe(true)
    },
  )
})
