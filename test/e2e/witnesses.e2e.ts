import { randomBytes } from 'node:crypto'
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { type Api, api } from '../support/api'
import { type Noted, newSigner, type Signer } from '../support/checkpoints'
import { test } from '../support/e2e'
import { type ImmudbServer, startServer } from '../support/immudb'
import { setKeys } from '../support/keys-page'
import { look, sizes, unhurried } from '../support/looks'
import { TrustPage } from '../support/trust-page'

let folder: string
let server: ImmudbServer
let db: Api
/** The states of the history, as whoever reads them sees them. */
const states: Noted[] = []

const honest = newSigner('night-watch.example')
const liar = newSigner('two-faced.example')

/** The newest state, as an auditor would read it. */
async function readState(): Promise<Noted> {
  const answer = await fetch(`${server.url}/api/db/state`, {
    headers: { authorization: `Bearer ${db.token}` },
  })
  const { db: database, txId, txHash } = (await answer.json()) as Record<string, string>
  const uuid = answer.headers.get('grpc-metadata-immudb-uuid') ?? ''
  return { server: uuid, database: database ?? '', txId: txId ?? '', txHash: txHash ?? '' }
}

/** Adds a note as an auditor does. */
async function witness(by: Signer, file: string, state: Noted): Promise<void> {
  const path = join(folder, file)
  const isNew = await writeFile(path, '', { flag: 'wx' }).then(
    () => true,
    () => false,
  )
  await appendFile(path, `${isNew ? '' : '\n'}${by.note(state)}`)
}

async function write(count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    await setKeys(db, [['greeting', `hello ${states.length}`]])
    states.push(await readState())
  }
}

const stateAt = (at: number): Noted => {
  const state = states.at(at)
  if (!state) throw new Error(`there is no state ${at}`)
  return state
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'checkpoints-'))
  await writeFile(join(folder, 'auditor.key'), 'PRIVATE+KEY+a+00000000+AAAA\n')
  server = await startServer({ flags: ['--checkpoints', folder] })
  db = await api(server.url)
  await write(12)
  for (const at of [2, 5, 9]) await witness(honest, 'defaultdb', stateAt(at))
  for (const at of [2, 5]) await witness(liar, 'defaultdb.lies', stateAt(at))
  for (const at of [7, 10]) {
    const txHash = randomBytes(32).toString('base64')
    await witness(liar, 'defaultdb.lies', { ...stateAt(at), txHash })
  }
})

afterAll(async () => {
  await server.dispose()
  await rm(folder, { recursive: true, force: true })
})

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function pin(page: Page, { verifierKey }: Signer): Promise<void> {
  await page.getByLabel('Verifier key', { exact: true }).fill(verifierKey)
  await button(page, 'Pin').click()
  await card(page, verifierKey).waitFor()
}

const card = (page: Page, verifierKey: string) =>
  page.getByRole('article', { name: verifierKey.split('+').slice(0, 2).join('+'), exact: true })

async function compareServed(page: Page, file: string): Promise<void> {
  await button(page, 'List those beside this page').click()
  await button(page, `Compare ${file}`).click()
}

test('an honest witness has seen the same history, and proofs say so, after a reload, too', async ({
  open,
}) => {
  const console = await open(server.url)
  const { page } = console
  const trust = new TrustPage(console)
  await console.enter('/verify?tab=witnesses')
  await trust.known()
  await pin(page, honest)
  await compareServed(page, 'defaultdb')
  const found = page.getByRole('list', { name: 'Compared checkpoints' })
  await found.getByText('All in this history', { exact: true }).waitFor()
  // What is beside the checkpoints is not served.
  const listed = page.getByRole('list', { name: 'Served beside this page' })
  expect(await listed.getByRole('listitem').count()).toBe(2)

  await page.reload()
  await trust.known()
  await card(page, honest.verifierKey)
    .getByText(/^defaultdb: 3 checkpoints of this history proven here/)
    .waitFor()
  await trust.chip.click()
  const upTo = stateAt(9).txId
  await trust.drawer
    .getByText(`Also seen by night-watch.example at transaction ${upTo}.`, { exact: false })
    .waitFor()
  await trust.drawer.getByText('What came later is not covered.', { exact: false }).waitFor()
  await page.keyboard.press('Escape')

  await console.goTo('/verify?tab=check')
  const form = page.getByRole('form', { name: 'A transaction' })
  const check = async (tx: string) => {
    await form.getByLabel('Number').fill(tx)
    await form.getByRole('button', { name: 'Verify' }).click()
    return page.getByRole('dialog', { name: `Proof of transaction ${tx}`, exact: true })
  }
  const covered = await check(stateAt(3).txId)
  await covered
    .getByText(`Also seen by night-watch.example at transaction ${stateAt(5).txId}.`, {
      exact: false,
    })
    .waitFor()
  await page.keyboard.press('Escape')
  const later = await check(stateAt(11).txId)
  await later
    .getByText('Not covered by night-watch.example: the last that it signed', { exact: false })
    .waitFor()
})

test('a lying witness is named with the first checkpoint that does not fit, and what it signed', async ({
  open,
}) => {
  const console = await open(server.url)
  const { page } = console
  const trust = new TrustPage(console)
  await console.enter('/verify?tab=witnesses')
  await trust.known()
  await pin(page, liar)
  await compareServed(page, 'defaultdb.lies')
  const [first, before] = [stateAt(7).txId, stateAt(5).txId]
  const found = page.getByRole('list', { name: 'Compared checkpoints' })
  await found.getByText('Different', { exact: true }).waitFor()
  const said = card(page, liar.verifierKey)
  await said
    .getByText(`The checkpoint at tx ${first} does not lie in this history`, { exact: false })
    .waitFor()
  await said
    .getByText(`The last one before it that does is tx ${before}.`, { exact: false })
    .waitFor()
  const download = page.waitForEvent('download')
  await said.getByRole('button', { name: 'Save what it signed' }).click()
  expect((await download).suggestedFilename()).toMatch(/^checkpoint-defaultdb-tx-\d+.*\.txt$/)
  await said.getByRole('button', { name: 'Show proof' }).click()
  const proof = page.getByRole('dialog', { name: /^Proof of / })
  await proof.getByRole('button', { name: 'Save evidence' }).waitFor()
  expect(await proof.getByText('Verified in this browser', { exact: true }).count()).toBe(0)
  await page.keyboard.press('Escape')

  // It stays, and it is an incident, but the server is not called broken by a witness alone.
  await page.reload()
  await trust.known()
  await said.getByText('Different', { exact: true }).waitFor()
  await page.getByRole('tab', { name: 'Incidents' }).click()
  await page.getByText('A witness signed another hash for this transaction.').waitFor()
  await page.getByText(`tx ${first} as signed by two-faced.example`).waitFor()
})

test('a file from elsewhere, an old one and a strange one', async ({ open }) => {
  const console = await open(server.url)
  const { page } = console
  await console.enter('/verify?tab=witnesses')
  await new TrustPage(console).known()
  await pin(page, honest)
  const give = (text: string) =>
    page.getByLabel('File with checkpoints', { exact: true }).setInputFiles({
      name: 'notes',
      mimeType: 'text/plain',
      buffer: Buffer.from(text),
    })
  // Transactions that came after the page was loaded.
  await write(2)
  await give(honest.note(stateAt(-1)))
  const found = page.getByRole('list', { name: 'Compared checkpoints' })
  await found.getByText('All in this history', { exact: true }).waitFor()
  await give(honest.note({ ...stateAt(-1), txId: '99999' }))
  await found.getByText('Not reached', { exact: true }).waitFor()
  await give(honest.note(stateAt(3)).replaceAll('\n', '\r\n'))
  await page.getByRole('alert').getByText(/CR LF/).waitFor()
  await page.getByLabel('Address on this site').fill('https://elsewhere.example/checkpoints/x')
  await button(page, 'Fetch and compare').click()
  await page.getByText(/This address is of another site/).waitFor()
  await page.getByLabel('Address on this site').fill('/checkpoints/defaultdb')
  await button(page, 'Fetch and compare').click()
  await found.getByText('All in this history', { exact: true }).waitFor()
})

describe.for(sizes)('looks of Witnesses, $size', unhurried, ({ viewport }) => {
  test('pinned, compared, contradicted and in a drawer have no violation', async ({ open }) => {
    const console = await open(server.url, { viewport })
    const { page } = console
    const trust = new TrustPage(console)
    await console.enter('/verify?tab=witnesses')
    await trust.known()
    await look(console, 'witnesses-none')
    await pin(page, honest)
    await pin(page, liar)
    await compareServed(page, 'defaultdb')
    const found = page.getByRole('list', { name: 'Compared checkpoints' })
    await found.getByText('All in this history', { exact: true }).waitFor()
    await button(page, 'Compare defaultdb.lies').click()
    await found.getByText('Different', { exact: true }).waitFor()
    await look(console, 'witnesses-compared')
    await trust.chip.click()
    await trust.drawer.getByText('Also seen by night-watch.example', { exact: false }).waitFor()
    await look(console, 'witnesses-drawer')
  })
})
