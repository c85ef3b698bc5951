import type { Locator, Page } from 'playwright-core'
import { replaceText } from '../../support/editor-text'
import { proofDrawer, verdictBoxes } from '../judge'
import { many } from '../server'
import type { Here, Walk } from '../walk'

/** A button that may say that it cannot be pressed. */
async function press(button: Locator): Promise<void> {
  await button.waitFor()
  if ((await button.getAttribute('aria-disabled')) === 'true') {
    throw new Error(`not offered: ${await button.getAttribute('title')}`)
  }
  await button.click()
}

const verifyIn = (place: Locator) => place.getByRole('button', { name: 'Verify', exact: true })

const openKey = (page: Page) => page.getByRole('region', { name: 'The open key', exact: true })

/** The key without the list of its other revisions, which have proofs of their own. */
const keyHead = (page: Page) =>
  openKey(page).locator('header, section[aria-label=Value], header + p')

function key(name: string, of: string, more: Partial<Walk> = {}): Walk {
  return {
    name: `keys/${name}`,
    path: () => `/keys?db=shown&key=${of}`,
    arrive: ({ page }) => verifyIn(openKey(page)).waitFor(),
    region: keyHead,
    press: ({ page }) => press(verifyIn(openKey(page))),
    ...more,
  }
}

const historyDrawer = (page: Page) => page.getByRole('dialog', { name: /^History of / })

/** The chosen revision: its line in the list and what is shown of it. */
const revision = (number: number) => (page: Page) =>
  historyDrawer(page)
    .getByRole('button', { name: new RegExp(`^rev ${number}\\b`) })
    .or(historyDrawer(page).getByRole('region', { name: `Revision ${number}`, exact: true }))

async function atRevision(page: Page, number: number): Promise<void> {
  await historyDrawer(page)
    .getByRole('region', { name: `Revision ${number}`, exact: true })
    .getByRole('table')
    .waitFor()
}

/** A revision that the shown one is compared with, as it was read at its transaction. */
const besideIt = (revision: number, tx = '') => [
  {
    answers: new RegExp(`UNTIL TX ${tx} WHERE`),
    words: new RegExp(`revision ${revision} beside it`),
  },
]

function history(name: string, number: number, more: Pick<Walk, 'path'> & Partial<Walk>): Walk {
  return {
    name: `history/${name}`,
    arrive: ({ page }) => atRevision(page, number),
    region: revision(number),
    press: ({ page }) => press(verifyIn(historyDrawer(page))),
    ...more,
  }
}

/** The line of one part in the list of last changes. */
const lastChangeOf = (part: string) => (page: Page) =>
  historyDrawer(page)
    .getByRole('row')
    .filter({ has: page.getByRole('rowheader', { name: new RegExp(`^${part}\\b`) }) })

/** What is said of a part's last change: its values, and the transaction, time and author. */
function lastChange(name: string, part: string, more: Pick<Walk, 'path'> & Partial<Walk>): Walk {
  return {
    name: `last change/${name}`,
    arrive: ({ page }) =>
      lastChangeOf(part)(page)
        .getByRole('button', { name: /^Verify the last change of / })
        .waitFor(),
    region: lastChangeOf(part),
    press: ({ page }) =>
      press(lastChangeOf(part)(page).getByRole('button', { name: /^Verify the last change of / })),
    ...more,
  }
}

const lastly = (row: number) => () => `/query?db=shown&table=lastly&row=n:${row}&dialog=blame`

const openDocument = (page: Page) => page.getByRole('region', { name: 'Document', exact: true })

const result = (page: Page) => page.getByRole('region', { name: 'Result 1', exact: true })

/** Runs a statement and goes to the first cell, from where a letter verifies the row. */
async function runSql({ page }: Here, sql: string): Promise<void> {
  const editor = page.getByRole('textbox', { name: 'SQL editor', exact: true })
  await editor.waitFor()
  await replaceText(editor, sql)
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await result(page).getByRole('gridcell').first().waitFor()
}

const firstRow = (grid: Locator) =>
  grid.locator('[role=row]:has([role=columnheader]), [aria-rowindex="2"]')

async function pressV(grid: Locator): Promise<void> {
  await grid.locator('[aria-rowindex="2"] [role=gridcell]').first().click()
  await grid.page().keyboard.press('Alt+v')
  await proofDrawer(grid.page()).waitFor()
}

function row(name: string, sql: string, more: Partial<Walk> = {}): Walk {
  return {
    name: `query/${name}`,
    path: () => '/query?db=shown',
    arrive: (here) => runSql(here, sql),
    region: (page) => firstRow(result(page).getByRole('grid')),
    press: ({ page }) => pressV(result(page).getByRole('grid')),
    ...more,
  }
}

const summary = (page: Page) => result(page).locator('p[aria-live=polite]')

/** Verifies every row of a result, and waits until the bar says what came of it. */
async function verifyAll({ page }: Here): Promise<void> {
  await press(result(page).getByRole('button', { name: /^Verify all rows/ }))
  await summary(page).and(page.locator(':not(:has(kbd))')).waitFor()
}

const checked = (page: Page) => page.locator('[aria-labelledby=checked]')

/**
 * A check by number or id: what is drawn comes from the proof alone, so the proof is what is altered.
 * The time of the check is left out.
 */
function check(name: string, path: Walk['path'], form: string): Walk {
  return {
    name: `check/${name}`,
    path,
    arrive: async ({ page }) => {
      await press(verifyIn(page.getByRole('form', { name: form, exact: true })))
      await proofDrawer(page)
        .locator('[role=status]:not([aria-busy]), [role=alert]')
        .first()
        .waitFor()
    },
    region: (page) =>
      proofDrawer(page)
        .locator('section:is([aria-label="What is proven"], [aria-label="Content of the answer"])')
        .or(checked(page).locator('li > span:nth-child(2)')),
    mark: (page) => verdictBoxes(page).or(checked(page).locator('li > span:first-child')),
  }
}

const tableGrid = (page: Page) => page.getByRole('grid', { name: /^Rows of / })
const entry = (page: Page) => page.getByRole('article', { name: 'Entry 1', exact: true })

function entryOf(name: string, fact: string, more: Partial<Walk> = {}): Walk {
  return {
    name: `transactions/${name}`,
    path: (facts) => `/tx?db=shown&id=${facts[fact]}`,
    arrive: ({ page }) => entry(page).getByRole('table').waitFor(),
    region: entry,
    press: ({ page }) => press(entry(page).getByRole('button', { name: 'Verify entry 1' })),
    ...more,
  }
}

const eventSheet = (page: Page) => page.getByRole('dialog', { name: 'Event: Set', exact: true })

export const reads: readonly Walk[] = [
  {
    name: 'documents/document',
    known: 'H2',
    path: ({ doc }) => `/documents?db=shown&collection=people&doc=${doc}`,
    arrive: ({ page }) => verifyIn(openDocument(page)).waitFor(),
    region: openDocument,
    press: ({ page }) => press(verifyIn(openDocument(page))),
  },
  entryOf('document entry', 'docTx', { known: 'H2' }),
  history('key', 1, {
    known: 'H3',
    path: () => '/keys?db=shown&key=pay&dialog=history&rev=1',
  }),
  history('document', 1, {
    known: 'H3',
    path: ({ docTx }) => `/tx?db=shown&id=${docTx}`,
    arrive: async ({ page }) => {
      await entry(page).getByRole('button', { name: 'History', exact: true }).click()
      await historyDrawer(page)
        .getByRole('button', { name: /^rev 1\b/ })
        .click()
      await atRevision(page, 1)
    },
  }),
  key('value', 'pay'),
  key('expiring', 'ttl', { known: 'H4' }),
  row('text that is not UTF-8', 'SELECT * FROM odd', {
    known: 'H5a',
    instead: [
      {
        name: 'the bytes 99 99 as the text 9999',
        path: /sqlquery$/,
        sent: /FROM odd/,
        answer: ({ oddAnswer }) => oddAnswer ?? '',
      },
    ],
  }),
  row('JSON of 2^53 + 1', 'SELECT * FROM exact', {
    known: 'H5b',
    stored: ['9007199254740993'],
    spellings: { '9007199254740993': ['9007199254740992'] },
  }),
  row('JSON with many digits', 'SELECT * FROM exact WHERE id = 2', {
    known: 'H5b',
    stored: ['0.1000000000000000055511151231257827'],
    spellings: { '0.1000000000000000055511151231257827': ['0.1'] },
  }),
  history('row with a dropped column', 1, {
    known: 'M1',
    path: () => '/query?db=shown&table=lean&row=n:1&rev=1',
    // The catalogue, by which the history of names is told.
    said: () => [{ answers: /\/db\/tx/, words: /names of dropped columns/ }],
  }),
  entryOf('row entry', 'rowTx', {
    known: 'M2',
    said: () => [
      { answers: /BEFORE TX/, words: /what it was before/ },
      { answers: /\/db\/tx|verifiable\/sqlget/, words: /names of the table and its columns/ },
    ],
  }),
  {
    name: 'overview/recent transaction',
    known: 'M3',
    path: () => '/?db=shown',
    arrive: ({ page }) =>
      page
        .getByRole('button', { name: /^Verify tx / })
        .first()
        .waitFor(),
    region: (page) => page.locator('tr:has(button[aria-label^="Verify tx "])').first(),
    press: ({ page }) => press(page.getByRole('button', { name: /^Verify tx / }).first()),
    said: () => [
      {
        answers: /entriesSpec|entries\.\d+\.(key|hValue|value|vLen|metadata)/,
        words: /what it touched/,
      },
    ],
  },
  history('row beyond the first hundred', 2, {
    known: 'H3',
    path: () => '/query?db=shown&table=busy&row=n:1&rev=2',
    arrive: async ({ page }) => {
      const look = historyDrawer(page).getByRole('button', { name: /^Look up revision / })
      const table = historyDrawer(page).getByRole('table')
      await look.or(table).first().waitFor()
      if (await look.first().isVisible()) await look.first().click()
      await atRevision(page, 2)
    },
    said: ({ busyFirst }) => besideIt(1, busyFirst),
  }),
  history('row', 1, { path: () => '/query?db=shown&table=orders&row=n:1&rev=1' }),
  history('row with many revisions', many, {
    path: () => `/query?db=shown&table=busy&row=n:1&rev=${many}`,
    said: ({ busyLate }) => besideIt(many - 1, busyLate),
  }),
  lastChange('a column that was changed', 'total', { path: lastly(1) }),
  lastChange('a column that was changed earlier', 'v', { path: lastly(1) }),
  lastChange('a row that was inserted again', 'v', { path: lastly(2) }),
  lastChange('the value of a key', 'Value', {
    path: () => '/keys?db=shown&key=pay&dialog=blame',
  }),
  lastChange('a field of a document', 'age', {
    path: ({ docTx }) => `/tx?db=shown&id=${docTx}`,
    arrive: async ({ page }) => {
      await entry(page).getByRole('button', { name: 'History', exact: true }).click()
      await historyDrawer(page)
        .getByRole('button', { name: /^rev 2\b/ })
        .click()
      await historyDrawer(page)
        .getByRole('button', { name: 'Last change of each field', exact: true })
        .click()
      await lastChangeOf('age')(page)
        .getByRole('button', { name: /^Verify the last change of / })
        .waitFor()
    },
  }),
  row('a cell of each type', 'SELECT * FROM cells'),
  row('all rows', 'SELECT * FROM twins', {
    isLong: true,
    region: (page) => result(page).getByRole('grid'),
    press: verifyAll,
    mark: (page) => summary(page).or(result(page).locator('[role=rowheader] button')),
  }),
  row('one of all rows', 'SELECT * FROM twins', {
    press: verifyAll,
    mark: (page) => result(page).locator('[aria-rowindex="2"] [role=rowheader] button'),
  }),
  {
    name: 'tables/row',
    path: () => '/query?db=shown&table=orders',
    arrive: ({ page }) => tableGrid(page).getByRole('gridcell').first().waitFor(),
    region: (page) => firstRow(tableGrid(page)),
    press: ({ page }) => pressV(tableGrid(page)),
  },
  {
    name: 'transactions/header',
    path: ({ rowTx }) => `/tx?db=shown&id=${rowTx}`,
    arrive: async ({ page }) => {
      await page.getByRole('button', { name: 'Show all header fields' }).click()
      await page.getByRole('button', { name: 'Hide header fields' }).waitFor()
    },
    region: (page) => page.getByRole('region', { name: 'Header', exact: true }),
    press: ({ page }) => press(page.getByRole('button', { name: 'Verify', exact: true })),
  },
  entryOf('key entry', 'keyTx', { arrive: ({ page }) => entry(page).waitFor() }),
  entryOf('score entry', 'setTx', { arrive: ({ page }) => entry(page).waitFor() }),
  key('deleted', 'gone'),
  key('expired', 'old'),
  key('reference', 'ref'),
  {
    name: 'audit log/event',
    isLong: true,
    path: () => '/audit?db=shown&method=set',
    arrive: async ({ page }) => {
      const grid = page.getByRole('grid', { name: 'Audit log', exact: true })
      await grid.getByRole('row').nth(1).waitFor()
      await grid.focus()
      await page.keyboard.press('Home')
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: /^Event/ }).waitFor()
    },
    region: (page) => eventSheet(page).locator('dl'),
    press: ({ page }) => press(verifyIn(eventSheet(page))),
  },
  check('transaction', ({ rowTx }) => `/verify?tab=check&db=shown&tx=${rowTx}`, 'A transaction'),
  check(
    'document',
    ({ doc }) => `/verify?tab=check&db=shown&collection=people&doc=${doc}`,
    'A document',
  ),
]
