import { describe, expect } from 'vitest'
import { type Api, api } from '../support/api'
import { DocumentsPage, makeCollection } from '../support/documents-page'
import { test } from '../support/e2e'

const path = (collection: string) => `/documents?db=defaultdb&collection=${collection}`

const [one, two] = [
  '11111111-1111-4111-8111-111111111111',
  'AAAAAAAA-2222-4222-8222-222222222222',
] as const

/** Documents 1 to 4: two with every field, one with none of them, one of null. */
async function fill(db: Api, collection: string): Promise<void> {
  const types = [
    ['n', 'INTEGER'],
    ['u', 'UUID'],
    ['d', 'DOUBLE'],
    ['b', 'BOOLEAN'],
    ['s', 'STRING'],
  ] as const
  await makeCollection(db, collection, types, [{ fields: ['n'] }])
  const documents = [
    `{"n":1,"u":"${one}","d":1.5,"b":true,"s":"Ann"}`,
    `{"n":2,"u":"${two}","d":-0.25,"b":false,"s":"ann"}`,
    '{"n":3}',
    '{"n":4,"u":null,"d":null,"b":null,"s":null}',
  ]
  for (const document of documents) await db.insertDocument(collection, document)
}

type Line = readonly [field: string, operator: string, value?: string, upTo?: string]
type Search = {
  /** Groups of comparisons. */
  readonly where?: readonly (readonly Line[])[]
  readonly order?: string
  readonly isDescending?: true
  readonly limit?: string
}

/** Builds a search from nothing, by hand, and sends it. */
async function search(documents: DocumentsPage, { where = [], ...rest }: Search): Promise<void> {
  const { page } = documents
  await documents.button('Search…').click()
  for (const [group, lines] of where.entries()) {
    await documents.button(group === 0 ? 'Add a comparison' : 'Or…').click()
    for (const [at, [field, operator, value, upTo]] of lines.entries()) {
      const name = `${group + 1}.${at + 1}`
      if (at > 0) await documents.button('And…').nth(group).click()
      await documents.pick(`Field ${name}`, field)
      await documents.pick(`Operator ${name}`, operator)
      if (value !== undefined) {
        await page.getByLabel(`Value ${name}`, { exact: true }).fill(value)
      }
      if (upTo !== undefined) await page.getByLabel(`Upper value ${name}`).fill(upTo)
    }
  }
  if (rest.order) await documents.pick('Order by', rest.order)
  if (rest.isDescending) await page.getByLabel('Descending').check()
  if (rest.limit) await page.getByLabel('Limit').fill(rest.limit)
  await documents.button('Search').click()
}

/** The field `n` of the documents that are shown, in their order. */
async function numbers(documents: DocumentsPage, collection: string): Promise<string> {
  const rows = documents.grid(collection).getByRole('row')
  const texts = await rows.evaluateAll((all) =>
    all.map((row) => [...row.querySelectorAll('[role=gridcell]')].map((cell) => cell.textContent)),
  )
  return texts.flatMap((cells) => (cells.length > 0 ? [cells[1] ?? ''] : [])).join()
}

describe('a search', () => {
  const searches: readonly (readonly [string, Search, string])[] = [
    ['a UUID', { where: [[['u', '=', one]]] }, '1'],
    ['a UUID in other letters', { where: [[['u', '=', two.toLowerCase()]]] }, '2'],
    ['a greater UUID', { where: [[['u', '>', one]]] }, '2'],
    ['no UUID', { where: [[['u', 'is NULL']]] }, '3,4'],
    ['any UUID', { where: [[['u', 'is not NULL']]] }, '1,2'],
    ['a DOUBLE', { where: [[['d', '=', '-2.5e-1']]] }, '2'],
    ['a smaller DOUBLE, or none', { where: [[['d', '<', '1.5']]] }, '2,3,4'],
    [
      'a DOUBLE between others',
      {
        where: [
          [
            ['d', '>', '-1'],
            ['d', '≤', '0'],
          ],
        ],
      },
      '2',
    ],
    ['a BOOLEAN', { where: [[['b', '=', 'false']]] }, '2'],
    ['another BOOLEAN, or none', { where: [[['b', '≠', 'false']]] }, '1,3,4'],
    ['a pattern', { where: [[['s', 'is like', 'A%']]] }, '1'],
    ['no such pattern', { where: [[['s', 'is not like', '%nn']]] }, '3,4'],
    ['a text inside', { where: [[['s', 'contains', 'nn']]] }, '1,2'],
    ['a beginning', { where: [[['s', 'starts with', 'A']]] }, '1'],
    ['one of several', { where: [[['n', 'is one of', '1, 4, 7']]] }, '1,4'],
    ['one of several texts', { where: [[['s', 'is one of', 'Ann, "ann"']]] }, '1,2'],
    [
      'one of several with another comparison',
      {
        where: [
          [
            ['n', 'is one of', '1, 2, 3'],
            ['b', 'is not NULL'],
          ],
        ],
      },
      '1,2',
    ],
    ['a range', { where: [[['n', 'is between', '2', '3']]] }, '2,3'],
    ['either of two', { where: [[['n', '=', '3']], [['b', '=', 'true']]] }, '1,3'],
    [
      'groups that overlap',
      {
        where: [
          [['n', '≥', '2']],
          [
            ['n', '≥', '3'],
            ['n', '<', '9'],
          ],
        ],
      },
      '2,3,4',
    ],
    ['an order', { order: 'n', isDescending: true }, '4,3,2,1'],
    ['an order of a field without index', { order: 'd' }, '3,4,2,1'],
    ['a limit in an order', { order: 'n', isDescending: true, limit: '2' }, '4,3'],
    [
      'either, ordered and limited',
      {
        where: [[['n', '=', '1']], [['n', '=', '3']]],
        order: 'n',
        isDescending: true,
        limit: '1',
      },
      '3',
    ],
  ]

  test('compares every type, in groups, ordered and limited, as immudb answers', async ({
    server,
    open,
  }) => {
    await fill(await api(server.url), 'found')
    const console = await open(server.url)
    await console.enter(path('found'))
    const documents = new DocumentsPage(console.page)
    await documents.openSession()
    for (const [what, wanted, found] of searches) {
      await search(documents, wanted)
      await expect.poll(() => numbers(documents, 'found'), { message: what }).toBe(found)
      await documents.button('Show all documents').first().click()
      await expect.poll(() => numbers(documents, 'found')).toBe('1,2,3,4')
    }
  })

  test('is counted when that is asked, also without a session', async ({ server, open }) => {
    const db = await api(server.url)
    await fill(db, 'counted')
    const console = await open(server.url)
    const { page } = console
    const found = encodeURIComponent('[[[["b","NE","false"]]],[],0]')
    await console.enter(`${path('counted')}&q=${found}`)
    const documents = new DocumentsPage(page)
    await documents.session.getByRole('button', { name: 'Cancel' }).click()
    await documents.button('Count the documents of this search').click()
    await page.getByText('3 documents found', { exact: true }).waitFor()
    await db.insertDocument('counted', '{"n":5}')
    await documents.button('Refresh the documents').click()
    await page.getByText('4 documents found', { exact: true }).waitFor()
  })

  test('says what it would not find as its reader thinks', async ({ server, open }) => {
    await fill(await api(server.url), 'hinted')
    const console = await open(server.url)
    const { page } = console
    await console.enter(path('hinted'))
    const documents = new DocumentsPage(page)
    await documents.openSession()
    await documents.button('Search…').click()
    await documents.button('Add a comparison').click()
    await documents.pick('Field 1.1', 'n')
    await documents.pick('Operator 1.1', '<')
    await page.getByLabel('Value 1.1').fill('2')
    await page.getByText('Finds documents without n as well.').waitFor()
    await page.getByLabel('Value 1.1').fill('9007199254740993')
    await page.getByText('immudb compares with doubles, so with 9007199254740992.').waitFor()
    await documents.pick('Field 1.1', '_id')
    await page.getByText('An id has 32 digits and letters a to f.').first().waitFor()
    await documents.pick('Field 1.1', 'u')
    await page
      .getByText(/^Enter a UUID for u/)
      .first()
      .waitFor()
    expect(await documents.button('Search').getAttribute('aria-disabled')).toBe('true')
  })

  test('finds texts with the signs of patterns as they are', async ({ server, open }) => {
    const db = await api(server.url)
    const texts = [
      '50% off',
      '50 off',
      'a_b',
      'axb',
      'c\\d',
      '.*[x](y)',
      'Ünal',
      '日本',
      '😀x',
      'a\n%',
    ]
    await makeCollection(db, 'signs', [
      ['n', 'INTEGER'],
      ['s', 'STRING'],
    ])
    for (const [n, s] of texts.entries()) {
      await db.insertDocument('signs', JSON.stringify({ n, s }))
    }
    const console = await open(server.url)
    await console.enter(path('signs'))
    const documents = new DocumentsPage(console.page)
    await documents.openSession()
    const searches = [
      ['contains', '%', '0'],
      ['contains', '_', '2'],
      ['contains', '\\', '4'],
      ['contains', '.*[', '5'],
      ['starts with', '50%', '0'],
      ['starts with', 'Ü', '6'],
      ['starts with', '日', '7'],
      ['starts with', '😀', '8'],
      ['starts with', 'a', '2,3,9'],
      ['is like', '_nal', '6'],
      ['is one of', '日本, 50% off', '0,7'],
    ] as const
    for (const [operator, value, found] of searches) {
      await search(documents, { where: [[['s', operator, value]]] })
      await documents.button(/^Remove “s /).waitFor()
      const what = `${operator} ${value}`
      await expect.poll(() => numbers(documents, 'signs'), { message: what }).toBe(found)
      await documents.button('Show all documents').first().click()
      await documents.cell('signs', '日本').waitFor()
    }
    await documents.button('Search…').click()
    await documents.button('Add a comparison').click()
    await documents.pick('Field 1.1', 's')
    await documents.pick('Operator 1.1', 'contains')
    await console.page.getByLabel('Value 1.1').fill('日')
    await console.page
      .getByText('immudb finds only ASCII characters inside a text, not “日”.', { exact: false })
      .first()
      .waitFor()
    expect(await documents.button('Search').getAttribute('aria-disabled')).toBe('true')
  })

  test('is shown in words, of which each part can be taken out', async ({ server, open }) => {
    await fill(await api(server.url), 'parts')
    const console = await open(server.url)
    await console.enter(path('parts'))
    const documents = new DocumentsPage(console.page)
    await documents.openSession()
    const where = [
      [
        ['n', '≥', '1'],
        ['s', 'contains', 'n'],
      ],
      [['n', 'is between', '3', '9']],
    ] as const
    await search(documents, { where, order: 'n', isDescending: true, limit: '3' })
    await expect.poll(() => numbers(documents, 'parts')).toBe('4,3,2')
    await documents.button('Remove “the first 3 documents”').click()
    await expect.poll(() => numbers(documents, 'parts')).toBe('4,3,2,1')
    await documents.button('Remove “n is between 3 and 9”').click()
    await expect.poll(() => numbers(documents, 'parts')).toBe('2,1')
    await documents.button('Remove “ordered by n, descending”').click()
    await expect.poll(() => numbers(documents, 'parts')).toBe('1,2')
    await documents.button('Remove “n ≥ 1”').click()
    await console.page.reload()
    await documents.button('Remove “s contains “n””').waitFor()
    expect(new URL(console.page.url()).searchParams.get('q')).toBe(
      '[[[["s","CONTAINS","\\"n\\""]]],[],0]',
    )
  })
})

const hasFocus = (one: Element) => one === document.activeElement

describe('the structure of a collection', () => {
  test('gains fields and indexes, and says what those do not reach', async ({ server, open }) => {
    const db = await api(server.url)
    await makeCollection(db, 'growing', [['n', 'INTEGER']])
    await db.insertDocument('growing', '{"n":1,"place":{"city":"Rome"}}')
    const console = await open(server.url)
    const { page } = console
    await console.enter(path('growing'))
    const documents = new DocumentsPage(page)
    await documents.openSession()
    await page.getByRole('tab', { name: 'Structure' }).click()
    await page.getByText(/finds only documents that are written afterwards/).waitFor()
    await page.getByLabel('Name of the new field').fill('place.city')
    await documents.button('Add field').click()
    const line = page.getByRole('list', { name: 'Fields' }).getByRole('listitem')
    await line
      .filter({ has: documents.button('Remove the field place.city') })
      .getByText('The field place.city was added.')
      .waitFor()
    // The next one can be typed at once.
    expect(await page.getByLabel('Name of the new field').evaluate(hasFocus)).toBe(true)
    await page.getByLabel('place.city', { exact: true }).check()
    await page.getByLabel('n', { exact: true }).check()
    await page.getByLabel('Unique', { exact: true }).check()
    await page.getByText(/only to a collection that never had a document/).waitFor()
    await documents.button('Add index').click()
    await page.getByText(/Unique index creation is only supported on empty collections/).waitFor()
    await page.getByLabel('Unique', { exact: true }).uncheck()
    await documents.button('Add index').click()
    await documents.button('Remove the index on place.city, n').waitFor()
    const index = page.getByRole('list', { name: 'Indexes' }).getByText('place.city, n')
    await index.locator('..').and(page.locator(':focus')).waitFor()
    const { collection } = await db.call<{ collection: { indexes: { fields: string[] }[] } }>(
      '/v2/collection/growing',
    )
    expect(collection.indexes.at(-1)).toEqual({ fields: ['place.city', 'n'] })
    await page.getByRole('tab', { name: 'Documents' }).click()
    await documents.insert('{"n":2,"place":{"city":"Rome"}}')
    await documents.document.getByText(/^Stored in tx/).waitFor()
    await search(documents, { where: [[['place.city', '=', 'Rome']]] })
    await expect.poll(() => numbers(documents, 'growing')).toBe('2')
  })

  test('has its field for ids renamed, and documents from before are still found and proven', async ({
    server,
    open,
  }) => {
    const db = await api(server.url)
    await makeCollection(db, 'codes', [['title', 'STRING']])
    const id = await db.insertDocument('codes', '{"title":"own","code":"own"}')
    const console = await open(server.url)
    const { page } = console
    await console.enter(path('codes'))
    const documents = new DocumentsPage(page)
    await documents.openSession()
    await page.getByRole('tab', { name: 'Structure' }).click()
    await documents.button('Rename the field _id').click()
    const name = documents.dialog.getByLabel('New name')
    for (const [typed, why] of [
      ['_id', 'The field has this name already.'],
      ['title', 'There is a field of this name already.'],
      ['index', 'immudb keeps the name index for itself.'],
      ['a.b', /^Use letters/],
    ] as const) {
      await name.fill(typed)
      await documents.dialog.getByText(why).first().waitFor()
    }
    await name.fill('code')
    await page.reload()
    await documents.button('Rename the field _id').click()
    expect(await name.inputValue()).toBe('code')
    await documents.button('Rename').click()
    await page.getByText('The field code holds the ids now.').waitFor()
    await page.getByRole('tab', { name: 'Documents' }).click()
    await documents.cell('codes', id).first().click()
    await documents.button('Verify').click()
    await console.dialog
      .getByText(/^Verified/)
      .first()
      .waitFor()
    await page.keyboard.press('Escape')
    await search(documents, { where: [[['code', '=', id]]] })
    await documents.cell('codes', 'own').first().waitFor()
    await documents.button('Edit').click()
    expect(JSON.parse(await documents.written())).toEqual({
      _id: id,
      title: 'own',
      code: 'own',
    })
    await page.getByText('Leave out “code”: the server makes the ids.').waitFor()
    await documents.write('{"title":"now"}')
    await documents.button('Save').click()
    await documents.document.getByText('revision 2').waitFor()
    const [newest] = await db.documentRevisions('codes', id)
    expect(newest?.document).toEqual({ code: id, title: 'now' })
    await documents.button('Verify').click()
    await console.dialog
      .getByText(/^Verified/)
      .first()
      .waitFor()
  })

  test('loses an index, a field and then the collection itself', async ({ server, open }) => {
    const db = await api(server.url)
    await fill(db, 'shrinking')
    const console = await open(server.url)
    const { page } = console
    await console.enter(path('shrinking'))
    const documents = new DocumentsPage(page)
    await documents.openSession()
    await page.getByRole('tab', { name: 'Structure' }).click()
    const removeField = documents.button('Remove the field n')
    await expect.poll(() => removeField.getAttribute('title')).toBe('Remove the index on n first.')
    await documents.button('Remove the index on n').click()
    await documents.dialog.getByText(/Searches by these fields read every document/).waitFor()
    await documents.button('Remove the index').click()
    // What is behind a dialog has no role.
    await documents.dialog.waitFor({ state: 'detached' })
    await documents.button('Remove the index on n').waitFor({ state: 'detached' })
    await removeField.click()
    await documents.button('Remove the field').click()
    await documents.dialog.waitFor({ state: 'detached' })
    await removeField.waitFor({ state: 'detached' })
    const described = () =>
      db.call<{ collection: { fields: { name: string }[]; indexes: object[] } }>(
        '/v2/collection/shrinking',
      )
    const { collection } = await described()
    expect(collection.fields.map(({ name }) => name)).toEqual(['_id', 'u', 'd', 'b', 's'])
    expect(collection.indexes).toHaveLength(1)
    // The documents keep what they have.
    await page.getByRole('tab', { name: 'Documents' }).click()
    await documents.button('Refresh the documents').click()
    await documents.cell('shrinking', '3').waitFor()
    await page.getByRole('tab', { name: 'Structure' }).click()
    await documents.button('Delete collection…').click()
    const confirm = documents.button('Delete the collection')
    expect(await confirm.getAttribute('aria-disabled')).toBe('true')
    await documents.dialog.getByRole('textbox').fill('shrinking')
    await confirm.click()
    await documents.dialog.waitFor({ state: 'detached' })
    await documents.list.getByRole('option', { name: /shrinking/ }).waitFor({ state: 'detached' })
    await expect(described()).rejects.toThrow(/does not exist/)
    expect(new URL(page.url()).searchParams.has('collection')).toBe(false)
  })
})
