import { createHash, createPublicKey } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { publicKeyPem } from '../../src/proof/public-key'
import { type Api, api } from '../support/api'
import type { ConsolePage } from '../support/console-page'
import { test, walk } from '../support/e2e'
import { recordedEvidence } from '../support/evidence'
import { type ImmudbServer, startServer } from '../support/immudb'
import { setKeys } from '../support/keys-page'
import { signingKey } from '../support/live-proofs'
import { look, sizes, unhurried } from '../support/looks'
import { until } from '../support/until'
import { VerifyPage } from '../support/verify-page'

let folder: string
let key: { file: string; publicKey: string }
/** Signs its states. */
let signed: ImmudbServer
let db: Api

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'verify-'))
  key = await signingKey(folder)
  signed = await startServer({ flags: ['--signing-key', key.file] })
  db = await api(signed.url)
  for (const greeting of ['hello', 'hi', 'good day']) await setKeys(db, [['greeting', greeting]])
})

afterAll(async () => {
  await signed.dispose()
  await rm(folder, { recursive: true, force: true })
})

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name })

const right = () =>
  recordedEvidence(
    '06-sql',
    ({ verify, context, expect: { verdict, firstUse } }) =>
      verify === 'row' && verdict === 'ok' && !!context?.trusted && !firstUse,
  )
const wrong = () =>
  recordedEvidence(
    '03-kv',
    ({ verify, expect: { verdict, reason } }) =>
      verify === 'get' && verdict === 'fail' && reason === 'entry-not-included',
  )

async function drop(page: Page, label: string, name: string, text: string) {
  await page
    .getByLabel(label, { exact: true })
    .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
}

const give = (page: Page, text: string, name = 'evidence.json') =>
  drop(page, 'Evidence file', name, text)

/** Waits until all that a file needs is here: the pane asks for it at once, but is there before. */
async function partsAreHere({ page, visit }: ConsolePage) {
  const parts = await until(
    () =>
      ['engine', 'signature', 'EvidencePane'].map((name) =>
        visit.watch.requests.find((url) => url.includes(`/assets/${name}-`)),
      ),
    (found) => !found.includes(undefined),
  )
  // As a text, because Vitest would change an import in a function.
  await page.evaluate(
    `Promise.all(${JSON.stringify(parts)}.map((url) => import(url))).then(() => true)`,
  )
}

describe('evidence, signed out', () => {
  test('the address opens it cold, and what follows needs no server', async ({ open }) => {
    const console = await open(signed.url)
    const { page } = console
    await console.open('/verify?tab=evidence')
    await heading(page, 'Check an evidence file').waitFor()
    await partsAreHere(console)
    await page.waitForLoadState('networkidle')
    const asked: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith('blob:')) asked.push(request.url())
    })
    await page.context().setOffline(true)
    await give(page, await right())
    await page.getByText('Consistent in itself').waitFor()
    await page.getByRole('list', { name: 'Proof' }).waitFor()
    await page.getByText('That the server still says so').waitFor()
    const inputs = page.getByText('Digest of all entries', { exact: true })
    await inputs.waitFor({ state: 'hidden' })
    await page.emulateMedia({ media: 'print' })
    await page.getByText('That the server still says so').waitFor()
    await inputs.waitFor()
    await button(page, 'Print').waitFor({ state: 'hidden' })
    const hidden = () =>
      page.locator('#content').evaluate((box) => box.scrollHeight - box.clientHeight)
    await expect.poll(hidden).toBe(0)
    await page.emulateMedia({ media: 'screen' })
    await page.getByText('Nothing in this browser to compare with').waitFor()
    await give(page, await wrong())
    await page.getByText('The proof in this file fails', { exact: true }).waitFor()
    await page.getByText('Does not hold').waitFor()
    await page.getByText('That the server gave this answer').waitFor()
    expect(asked).toEqual([])
    await page.context().setOffline(false)
  })

  test('a file that was changed after it was saved is told from one that holds', async ({
    open,
  }) => {
    const console = await open(signed.url)
    const { page } = console
    await console.open('/verify?tab=evidence')
    const file = JSON.parse(await right())
    file.response.sqlEntry.value = Buffer.from('other').toString('base64')
    await give(page, JSON.stringify(file))
    await page.getByText('This file says something different from its proof').waitFor()
    await page.getByText(/The file says that the proof holds\. This browser finds/).waitFor()
    expect(await page.getByRole('heading', { name: 'Proven content' }).count()).toBe(0)
    await give(page, '{"format":"x"}', 'other.json')
    await page.getByText('This is not an evidence file of this console.').waitFor()
    await page.getByText('Nothing of the file “other.json” was verified.').waitFor()
  })

  test('the login form and an unreachable server lead to it, and it leads back', async ({
    open,
  }) => {
    const console = await open(signed.url)
    const { page } = console
    await console.open('/query')
    await button(page, 'Check an evidence file').click()
    await heading(page, 'Check an evidence file').waitFor()
    await button(page, 'Back to the console').click()
    await console.submitLogin()
    await console.signedIn()
    await console.keepsSession()
    console.visit.watch.expect(/ERR_FAILED/)
    await page.route(/\/api\//, (route) => route.abort())
    await page.reload()
    await button(page, 'Try now').waitFor()
    await button(page, 'Check an evidence file').click()
    await give(page, await right())
    await page.getByText('Consistent in itself').waitFor()
  })

  test('nothing else of the screen is there without a login', async ({ open }) => {
    const console = await open(signed.url)
    for (const path of ['/verify', '/verify?tab=points', '/verify?tab=keys', '/verify?tab=check']) {
      await console.open(path)
      await console.signedOut()
      expect(await heading(console.page, 'Check an evidence file').count()).toBe(0)
    }
  })
})

describe('an object by its number or id', () => {
  test(
    'a transaction is proven, its evidence saved, and verified again',
    walk,
    async ({ open }) => {
      const console = await open(signed.url)
      const { page } = console
      await console.enter('/verify?tab=check&tx=1')
      const form = page.getByRole('form', { name: 'A transaction' })
      await expect.poll(() => form.getByLabel('Number').inputValue()).toBe('1')
      await form.getByLabel('Number').fill('one')
      await form.getByRole('button', { name: 'Verify' }).click()
      await form.getByText('This is not a transaction number.').waitFor()
      // By now it would have come by itself.
      expect(await page.getByRole('dialog').count()).toBe(0)
      await form.getByLabel('Number').fill('tx 1')
      await form.getByRole('button', { name: 'Verify' }).click()
      const drawer = page.getByRole('dialog', { name: /Proof of transaction 1/ })
      await drawer.getByText('Verified in this browser').waitFor()
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        drawer.getByRole('button', { name: 'Save evidence' }).click(),
      ])
      const text = await readFile(await download.path(), 'utf8')
      await page.keyboard.press('Escape')
      await page.getByRole('region', { name: 'Checked here' }).getByText('Verified').waitFor()
      await page.getByRole('tab', { name: 'Evidence' }).click()
      await give(page, text, download.suggestedFilename())
      await page.getByText('Verified in this browser').waitFor()
      await page.getByText('This browser has the same state').waitFor()
      expect(text).not.toMatch(/v2\.public|token/i)
      expect(JSON.parse(text)).toMatchObject({
        kind: 'tx',
        what: 'transaction 1',
        server: { origin: signed.url },
        console: { bundle: expect.stringMatching(/\.js$/) },
      })
    },
  )

  test('a transaction that is not there is no broken history', async ({ open }) => {
    const console = await open(signed.url)
    const { page } = console
    console.visit.watch.expect(/status of 500/, /tx not found/)
    await console.enter('/verify?tab=check')
    const form = page.getByRole('form', { name: 'A transaction' })
    await form.getByLabel('Number').fill('999999')
    await form.getByRole('button', { name: 'Verify' }).click()
    const drawer = page.getByRole('dialog')
    await drawer.getByText(/says nothing about what is stored|cannot be proven/).waitFor()
    expect(await page.getByText(/broken/i).count()).toBe(0)
  })

  test('a document is proven', async ({ open }) => {
    await db.call('/v2/collection/notes', {
      documentIdFieldName: '_id',
      fields: [{ name: 'n', type: 'INTEGER' }],
    })
    const { documentIds } = await db.call<{ documentIds: string[] }>(
      '/v2/collection/notes/documents',
      { documents: [{ n: 1, text: 'umbrella' }] },
    )
    const id = documentIds[0] ?? ''
    const console = await open(signed.url)
    const { page } = console
    await console.enter(`/verify?tab=check&collection=notes&doc=${id}`)
    const form = page.getByRole('form', { name: 'A document' })
    await form.getByRole('button', { name: 'Verify' }).click()
    const proof = page.getByRole('dialog', { name: new RegExp(id) })
    await proof.getByText('Verified in part').waitFor()
    await proof.getByText(/The name of the collection is the server’s word/).waitFor()
    await proof.getByText('umbrella').waitFor()
    await page.keyboard.press('Escape')
    // An audit finds the name among what the history says itself.
    const verify = new VerifyPage(console)
    await verify.audit('defaultdb')
    await console.goTo(`/verify?tab=check&collection=notes&doc=${id}`)
    await form.getByRole('button', { name: 'Verify' }).click()
    await verify.verified()
  })
})

const fingerprint = () =>
  createHash('sha256')
    .update(createPublicKey(publicKeyPem(key.publicKey)).export({ type: 'spki', format: 'der' }))
    .digest('hex')

describe('signing keys', () => {
  test('the seen one is confirmed with its fingerprint, then checked, then unpinned', async ({
    open,
  }) => {
    const console = await open(signed.url)
    const { page } = console
    await console.enter('/verify?tab=keys')
    await page.getByText('Not pinned: signatures are not checked.').waitFor()
    await button(page, 'Confirm and pin…').click()
    const dialog = page.getByRole('dialog')
    await expect
      .poll(async () => ((await dialog.locator('code').textContent()) ?? '').replace(/\s/g, ''))
      .toBe(fingerprint())
    await dialog.getByText('must carry a valid signature').waitFor()
    await dialog.getByRole('button', { name: 'Pin this key' }).click()
    await page.getByText('names the pinned key').waitFor()
    await page.getByRole('tab', { name: 'Trusted states' }).click()
    await button(page, 'Check now').click()
    await page.getByText(/nothing has been proven since/).waitFor()
    await page.getByRole('region', { name: 'Log' }).getByText('Signing key pinned').waitFor()
    await page.getByRole('tab', { name: 'Signing keys' }).click()
    await button(page, 'Unpin…').click()
    await page.getByRole('dialog').getByText('Signatures are not checked any more').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Unpin' }).click()
    await page.getByText('Not pinned').waitFor()
  })

  test('one is pasted or its file is dropped; a private key is refused', async ({ open }) => {
    const console = await open(signed.url)
    const { page } = console
    await console.enter('/verify?tab=keys')
    await drop(page, 'PEM file', 'signing.pem', await readFile(key.file, 'utf8'))
    await page.getByText('This is a private key.').waitFor()
    expect(await page.getByLabel('Public key').inputValue()).toBe('')
    await page.getByLabel('Public key').fill('nonsense')
    await button(page, 'Pin…').click()
    await page.getByText('neither a PEM file nor base64').waitFor()
    const other = (await signingKey(folder)).publicKey
    await page.getByLabel('Public key').fill(other)
    await button(page, 'Pin…').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('The server signs with another key at present').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'detached' })
    await drop(page, 'PEM file', 'public.pem', publicKeyPem(key.publicKey))
    await dialog.getByRole('button', { name: 'Pin this key' }).click()
    await page.getByText('names the pinned key').waitFor()
  })
})

/** The trusted state as the text that the page copies or saves. */
async function savedPoints(page: Page): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    button(page, 'Save all as text').click(),
  ])
  return readFile(await download.path(), 'utf8')
}

const compare = async (page: Page, text: string) => {
  await page.getByLabel('States from elsewhere').fill(text)
  await button(page, 'Compare').click()
}

/** Holds back what the newest state is, once all of before is answered; returns what lets it go. */
async function holdStates(page: Page): Promise<() => void> {
  let letGo = () => {}
  const isLetGo = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const states = /\/api\/db\/state$/
  await page.route(states, async (route) => {
    await isLetGo
    // The page may be gone by then.
    await route.continue().catch(() => {})
  })
  await page.waitForRequest(states)
  return letGo
}

const compared = (page: Page) => page.getByRole('list', { name: 'Compared states' })

describe('trusted states', () => {
  test('are recorded, moved by proof, compared, forgotten with a reason, taken over', async ({
    open,
  }) => {
    const console = await open(signed.url)
    const { page } = console
    await console.enter('/verify')
    const card = page.getByRole('article').filter({ has: heading(page, 'defaultdb') })
    await card.getByRole('button', { name: 'Check now' }).click()
    await card.getByText('Trusted state', { exact: true }).waitFor()
    await setKeys(db, [['greeting', 'hello again']])
    await card.getByRole('button', { name: 'Check now' }).click()
    await card.getByText('Consistent').waitFor()
    await card.getByText('History of the trusted state').click()
    await card.getByText('advanced by proof').first().waitFor()
    const mine = await savedPoints(page)
    expect(mine).toMatch(/^immudb trusted state\ndatabase: defaultdb\ntransaction: \d+\nhash: /)

    await compare(page, mine)
    await compared(page).getByText('Same', { exact: true }).waitFor()
    const forged = mine.replace(/hash: ..../, 'hash: 0000')
    await compare(page, forged)
    await compared(page).getByText('Different', { exact: true }).waitFor()
    const first = mine.replace(/transaction: \d+/, 'transaction: 1')
    await compare(page, first)
    await compared(page).getByText('Older', { exact: true }).waitFor()
    await button(page, 'Ask the server for a proof').click()
    await compared(page).getByText('Different', { exact: true }).waitFor()
    await compare(page, 'nothing of the kind')
    await page.getByText('This text contains no trusted state').waitFor()

    // Or the console would meet the database again by itself.
    const letGo = await holdStates(page)
    await card.getByRole('button', { name: 'Forget…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('defaultdb')
    await dialog.getByRole('button', { name: 'Forget the state' }).click()
    await dialog.getByText('Say why, for the log.').waitFor()
    await dialog.getByLabel('Reason').fill('the test is over')
    await dialog.getByRole('button', { name: 'Forget the state' }).click()
    await page.getByText(/Trusted state forgotten of defaultdb, tx \d+: the test is over/).waitFor()

    await compare(page, mine)
    await button(page, 'Take over…').click()
    await dialog.getByRole('button', { name: 'Take over', exact: true }).click()
    letGo()
    await card.getByText(/nothing has been proven since/).waitFor()
  })
})

describe.for(sizes)('looks of Verify, $size', unhurried, ({ size, viewport }) => {
  test('evidence, checks, points and keys have no violation', async ({ open }) => {
    const console = await open(signed.url, { viewport })
    const { page } = console
    await console.open('/verify?tab=evidence')
    await heading(page, 'Check an evidence file').waitFor()
    await look(console, 'evidence-alone')
    await give(page, await right())
    await page.getByText('Consistent in itself').waitFor()
    await heading(page, 'Content of the answer').waitFor()
    await look(console, 'evidence-consistent')
    await give(page, await wrong())
    await page.getByText('The proof in this file fails').waitFor()
    await look(console, 'evidence-fails')
    await button(page, 'Back to the console').click()
    await console.submitLogin()
    await console.signedIn()
    await console.goTo('/verify')
    const card = page.getByRole('article').filter({ has: heading(page, 'defaultdb') })
    await card.getByRole('button', { name: 'Check now' }).click()
    await card.getByText('Trusted state', { exact: true }).waitFor()
    await setKeys(db, [[`looked ${size}`, 'at']])
    await card.getByRole('button', { name: 'Check now' }).click()
    await card.getByText('Consistent').waitFor()
    await card.getByText('History of the trusted state').click()
    await compare(page, (await savedPoints(page)).replace(/hash: ..../, 'hash: 0000'))
    await compared(page).getByText('Different', { exact: true }).waitFor()
    await look(console, 'verify-points')
    await page.getByRole('tab', { name: 'Damage' }).click()
    await page.getByRole('checkbox', { name: 'Step 5 is done' }).check()
    await page.getByText('Marked at').waitFor()
    await look(console, 'verify-damage')
    await page.getByRole('checkbox', { name: 'Step 5 is done' }).uncheck()
    await page.getByRole('tab', { name: 'Check' }).click()
    await page.getByLabel('Number').fill('1')
    await button(page, 'Verify').first().click()
    await page.getByRole('dialog').getByText('Verified in this browser').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('region', { name: 'Checked here' }).waitFor()
    await look(console, 'verify-check')
    await page.getByRole('tab', { name: 'Signing keys' }).click()
    await button(page, 'Confirm and pin…').click()
    await page.getByRole('dialog').waitFor()
    await look(console, 'verify-pin')
    await page.getByRole('dialog').getByRole('button', { name: 'Pin this key' }).click()
    await page.getByText('names the pinned key').waitFor()
    await look(console, 'verify-keys')
  })
})

test('the guide has an example that holds, and two that are refused', async ({ open }) => {
  const console = await open(signed.url)
  const { page } = console
  await console.enter('/guide#verify-example')
  const drawer = page.getByRole('dialog')
  const verify = async (name: string, outcome: string) => {
    await button(page, `Verify: ${name}`).click()
    await drawer.getByText(outcome).waitFor()
  }
  await verify('As the server answered', 'Verified in this browser')
  await page.keyboard.press('Escape')
  await verify('With another value', 'This content is not in the transaction.')
  await drawer.getByText('Does not hold').waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    drawer.getByRole('button', { name: 'Save evidence' }).click(),
  ])
  const text = await readFile(await download.path(), 'utf8')
  await page.keyboard.press('Escape')
  await verify('With another past', 'A transaction that this browser recorded has another hash.')
  await page.keyboard.press('Escape')
  // It is no finding about the open database.
  expect(await page.getByRole('alert').count()).toBe(0)
  await console.goTo('/verify?tab=evidence')
  await give(page, text)
  await page.getByText('The proof in this file fails', { exact: true }).waitFor()
})
