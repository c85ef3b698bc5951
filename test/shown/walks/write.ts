import type { Locator, Page } from 'playwright-core'
import type { Api } from '../../support/api'
import { replaceText } from '../../support/editor-text'
import { base64 } from '../../support/keys-page'
import type { Walk } from '../walk'

/** The form before it is sent, and what is told of it afterwards. */
const whole = (page: Page) => page.locator('main, [role=dialog]')

/** What this browser says of a write. */
const receipt = (page: Page) =>
  page
    .getByRole('button', {
      name: /^(Verified|Not verified|Not what was sent|Stored|Its last transaction|Transaction [\d,]+ is in the history)/,
    })
    .or(page.getByText(/^Stored, not verified/))

const button = (place: Page | Locator, name: string) =>
  place.getByRole('button', { name, exact: true })

function write(
  name: string,
  sends: RegExp,
  more: Pick<Walk, 'path' | 'press'> & Partial<Walk>,
): Walk {
  return {
    name: `writes/${name}`,
    database: 'written',
    region: whole,
    mark: receipt,
    sends,
    ...more,
  }
}

const sqlExec = /\/sqlexec$/

async function type(page: Page, column: number, name: string, text: string): Promise<void> {
  const grid = page.getByRole('grid', { name: /^Rows of / })
  await grid.locator(`[aria-rowindex="2"] [role=gridcell][aria-colindex="${column}"]`).dblclick()
  await grid.getByRole('textbox', { name, exact: true }).fill(text)
  await button(grid, 'Done').click()
  await grid.getByRole('textbox').waitFor({ state: 'detached' })
}

const setKey = async (page: Page, key: string, more: Readonly<Record<string, string>>) => {
  await button(page, 'Set a key').first().click()
  await page.getByLabel('Key', { exact: true }).fill(key)
  if ('Refers to' in more) {
    await page.getByRole('checkbox', { name: /^Refer to another key/ }).check()
  }
  for (const [label, text] of Object.entries(more)) {
    await page.getByLabel(label, { exact: true }).fill(text)
  }
}

/** A key that is to be set must not be there. */
const unset = (key: string) => (db: Api) =>
  db.call('/db/deletekey', { keys: [base64(key)] }).catch(() => null)

/** Keys of a walk's own: others write at the same time. */
const set = (db: Api, ...keys: string[]) =>
  db.call('/db/set', { KVs: keys.map((key) => ({ key: base64(key), value: base64('x') })) })

const save = ({ page }: { page: Page }) => button(page, 'Save').click()

const documents = () => '/documents?db=written&collection=notes'

/** Chooses from a box of the dialog with operations. */
async function choose(page: Page, box: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: box }).click()
  await page.getByRole('option', { name: option }).click()
}

/** Three operations of three kinds, all in one transaction. */
async function collect(page: Page): Promise<void> {
  await button(page, 'Several operations…').click()
  const add = button(page, 'Add an operation')
  const fill = async (number: number, fields: Readonly<Record<string, string>>) => {
    const part = page.getByRole('group', { name: `Operation ${number}`, exact: true })
    for (const [label, text] of Object.entries(fields)) {
      await part.getByLabel(label, { exact: true }).fill(text)
    }
  }
  await add.click()
  await fill(1, { Key: 'bundled', Value: 'as sent', 'Expires at (UTC)': '2999-12-31 23:59:00' })
  await add.click()
  await choose(page, 'Kind of operation 2', 'Add to a sorted set')
  await fill(2, { Set: 'ranked', Score: '88.5', Key: 'aimed' })
  await add.click()
  await choose(page, 'Kind of operation 3', 'Set a reference')
  await fill(3, { Key: 'leading', 'Refers to': 'aimed' })
}

const historyDrawer = (page: Page) => page.getByRole('dialog', { name: /^History of / })

/** From the history to the question whether the first revision is to be restored. */
async function toRestore(page: Page): Promise<void> {
  await historyDrawer(page)
    .getByRole('region', { name: 'Revision 1', exact: true })
    .getByRole('table')
    .waitFor()
  await button(historyDrawer(page), 'Restore…').click()
  await button(page, 'Restore revision').waitFor()
}

const givenFile = (name: string, lines: readonly string[]) => ({
  name,
  mimeType: 'text/plain',
  buffer: Buffer.from(`${lines.join('\n')}\n`),
})

/** Deletes a document that is made for each turn, because none comes back under its id. */
function deletion(): Walk {
  let id = ''
  return write('deletion of a document', /\/documents\/delete$/, {
    path: () => `${documents()}&doc=${id}`,
    before: async (db) => {
      id = await db.insertDocument('notes', '{"n":7,"by":"short-lived"}')
    },
    arrive: async ({ page }) => {
      await button(page, 'Delete…').click()
      await button(page, 'Delete the document').waitFor()
    },
    press: ({ page }) => button(page, 'Delete the document').click(),
  })
}

export const writes: readonly Walk[] = [
  write('edit of a table', sqlExec, {
    known: 'H1',
    path: () => '/query?db=written&table=prices',
    before: (db) => db.exec("UPSERT INTO prices (id, v, total) VALUES (1, 'v1', 1.5);"),
    arrive: async ({ page }) => {
      await page
        .getByRole('grid', { name: /^Rows of / })
        .getByRole('gridcell')
        .first()
        .waitFor()
      await type(page, 4, 'total', '88.5')
      await type(page, 3, 'v', 'agreed')
      await button(page, 'Review changes').click()
      await page.getByRole('dialog', { name: /^Review changes/ }).waitFor()
    },
    press: ({ page }) => button(page, 'Commit').click(),
  }),
  write('restore of a row', sqlExec, {
    known: 'H1',
    path: () => '/query?db=written&table=kept&row=n:1&rev=1',
    arrive: async ({ page }) => {
      const drawer = page.getByRole('dialog', { name: /^History of / })
      await drawer.getByRole('region', { name: 'Revision 1' }).getByRole('table').waitFor()
      await button(drawer, 'Restore…').click()
      await button(page, 'Restore revision').waitFor()
    },
    press: ({ page }) => button(page, 'Restore revision').click(),
  }),
  write('change of a schema', sqlExec, {
    known: 'H1',
    isUncompared: true,
    path: () => '/query?db=written&table=wide',
    before: (db) => db.exec('ALTER TABLE wide DROP COLUMN extra;').catch(() => null),
    arrive: async ({ page }) => {
      await page.getByRole('tab', { name: 'Structure' }).click()
      await button(page, 'Add column').click()
      const dialog = page.getByRole('dialog', { name: /^Add a column/ })
      await dialog.getByLabel('Column name').fill('extra')
    },
    press: ({ page }) =>
      button(page.getByRole('dialog', { name: /^Add a column/ }), 'Add column').click(),
  }),
  write('statement in Query', sqlExec, {
    isUncompared: true,
    path: () => '/query?db=written',
    arrive: async ({ page }) => {
      const editor = page.getByRole('textbox', { name: 'SQL editor', exact: true })
      await editor.waitFor()
      await replaceText(editor, "UPSERT INTO prices (id, v, total) VALUES (7, 'sent', 88.5)")
    },
    press: ({ page }) => button(page, 'Run').click(),
  }),
  write('key', /\/set$/, {
    path: () => '/keys?db=written',
    before: unset('plain'),
    arrive: ({ page }) => setKey(page, 'plain', { Value: 'as sent' }),
    press: save,
  }),
  write('key that expires', /\/set$/, {
    path: () => '/keys?db=written',
    before: unset('timed'),
    arrive: ({ page }) =>
      setKey(page, 'timed', { Value: 'for long', 'Expires at (UTC)': '2999-12-31 23:59:00' }),
    press: save,
  }),
  write('reference', /\/setreference$/, {
    path: () => '/keys?db=written',
    before: async (db) => {
      await unset('points')(db)
      await set(db, 'target', 'targeu')
    },
    arrive: ({ page }) => setKey(page, 'points', { 'Refers to': 'target' }),
    press: save,
  }),
  write('deletion of a key', /\/deletekey$/, {
    path: () => '/keys?db=written&key=going',
    before: (db) => set(db, 'going', 'goinh'),
    arrive: async ({ page }) => {
      await button(page, 'Delete…').click()
      await button(page, 'Delete the key').waitFor()
    },
    press: ({ page }) => button(page, 'Delete the key').click(),
  }),
  write('new document', /\/documents$/, {
    path: documents,
    arrive: async ({ page }) => {
      await button(page, 'New document').click()
      const text = page.getByRole('textbox', { name: 'Document as JSON', exact: true })
      await replaceText(text, '{"n": 41, "by": "agreed"}')
    },
    press: save,
  }),
  write('edit of a document', /\/documents\/replace$/, {
    path: ({ note }) => `${documents()}&doc=${note}`,
    arrive: async ({ page }) => {
      await button(page, 'Edit').click()
      const text = page.getByRole('textbox', { name: 'Document as JSON', exact: true })
      await replaceText(text, '{"n": 41, "by": "agreed"}')
    },
    press: save,
  }),
  write('operations', /\/execall$/, {
    path: () => '/keys?db=written',
    before: async (db) => {
      await unset('bundled')(db)
      await unset('leading')(db)
      await set(db, 'aimed', 'aimee')
    },
    arrive: ({ page }) => collect(page),
    press: ({ page }) => button(page, 'Send as one transaction').click(),
  }),
  deletion(),
  write('restore of a key', /\/set$/, {
    path: () => '/keys?db=written&key=back&dialog=history&rev=1',
    before: (db) => set(db, 'back'),
    arrive: ({ page }) => toRestore(page),
    press: ({ page }) => button(page, 'Restore revision').click(),
  }),
  write('restore of a document', /\/documents\/replace$/, {
    path: ({ draftTx }) => `/tx?db=written&id=${draftTx}`,
    before: (db, { draft = '' }) => db.replaceDocument('notes', draft, '{"n":2,"by":"later"}'),
    arrive: async ({ page }) => {
      await button(page.getByRole('article', { name: 'Entry 1', exact: true }), 'History').click()
      await historyDrawer(page)
        .getByRole('button', { name: /^rev 1\b/ })
        .click()
      await toRestore(page)
    },
    press: ({ page }) => button(page, 'Restore revision').click(),
  }),
  write('import of CSV', sqlExec, {
    isLong: true,
    isUncompared: true,
    path: () => '/query?db=written',
    before: (db) => db.exec('DROP TABLE listed;').catch(() => null),
    arrive: async ({ page }) => {
      await button(page, 'Import CSV').click()
      const lines = ['id,label,total', '1,as sent,88.5', '2,agreed,1.5']
      await page.getByLabel('CSV file').setInputFiles(givenFile('listed.csv', lines))
      await button(page, 'Check the file').click()
      await page.getByText(/^Checked: /).waitFor()
    },
    press: ({ page }) => page.getByRole('button', { name: /^Import 2 rows/ }).click(),
  }),
  write('import of NDJSON', /\/documents$/, {
    isUncompared: true,
    path: documents,
    arrive: async ({ page }) => {
      await button(page, 'Import NDJSON').click()
      const lines = ['{"n": 41, "by": "as sent"}', '{"n": 42, "by": "agreed"}']
      await page.getByLabel('NDJSON file').setInputFiles(givenFile('notes.ndjson', lines))
      await button(page, 'Import 2 documents').waitFor()
    },
    press: ({ page }) => button(page, 'Import 2 documents').click(),
  }),
]

const article = (page: Page) => page.getByRole('article')

export const files: readonly Walk[] = [
  {
    name: 'evidence/file',
    known: 'H6',
    hasFile: true,
    path: () => '/verify?tab=evidence&db=shown',
    arrive: async ({ page, file }) => {
      const given = { name: 'evidence.json', mimeType: 'text/plain', buffer: Buffer.from(file) }
      await page.getByLabel('Evidence file', { exact: true }).setInputFiles(given)
      await article(page).waitFor()
    },
    // What the file says of itself is quoted as its words.
    region: (page) => article(page).locator('> :not(:last-child)'),
    mark: (page) => article(page).locator('[role=status], [role=alert]'),
  },
]
