import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, test } from 'vitest'
import type { OpenRevisions } from '~/atoms/revisions/open-revisions'
import { lastRestoreAtom } from '~/atoms/revisions/restore'
import { noteAddressedMoment } from '~/core/history/newest-state'
import { databaseAtom, permissionsAtom } from '~/core/session/session'
import { chooseReadOnly } from '~/core/settings'
import { RevisionDrawer } from '~/screens/revisions/RevisionDrawer'
import { corpusBytes } from '../../support/corpus-bytes'
import { DocumentServer } from '../../support/document-server'
import { tabWith } from '../../support/revision-server'
import { sentence } from '../../support/sentence'
import { showPart } from '../../support/show-part'

const opened: OpenRevisions = { kind: 'document', database: 'db', collection: 'c', id: 'ff' }

function Drawer({ start }: { start: string }) {
  const [revision, choose] = useState(start)
  return <RevisionDrawer onChoose={choose} onClose={() => {}} opened={opened} revision={revision} />
}

async function shown(contents: readonly (string | null)[], start = '1') {
  const user = userEvent.setup()
  const server = new DocumentServer(contents)
  const store = tabWith(server)
  store.set(permissionsAtom, [{ database: 'db', permission: 2 }])
  await showPart(store, <Drawer start={start} />)
  const drawer = await screen.findByRole('dialog', { name: 'History of document ff of c' })
  await within(drawer).findByRole('table', { name: /^Revision/ })
  const restoreButton = () => within(drawer).getByRole('button', { name: 'Restore…' })
  /** Opens the question before the write. */
  const asked = async () => {
    await user.click(restoreButton())
    const question = await screen.findByRole('dialog', { name: /^Restore revision/ })
    // It takes the pointer from the drawer a moment after it stands there.
    await waitFor(() => expect(question.style.pointerEvents).not.toBe('none'))
    return question
  }
  const press = (box: HTMLElement, name: string) =>
    user.click(within(box).getByRole('button', { name }))
  return { user, server, store, drawer, restoreButton, asked, press }
}

describe('restoring a document', () => {
  test('shows the request, sends it once as it is, and ends with a receipt', async () => {
    const old = '{"_id":"ff","n":-0,"f":1.5,"o":{"l":[1e+21,null,"<b>"]}}'
    const { server, drawer, asked, press } = await shown([old, '{"_id":"ff","n":1}'])
    const question = await asked()
    expect(question.textContent).toContain('PUT /v2/collection/c/documents/replace')
    expect(question.textContent).toContain('"n": -0')
    expect(server.replacements).toEqual([])
    await press(question, 'Restore revision')
    await within(drawer).findByText(/^Restored in/)
    const query =
      '{"expressions":[{"fieldComparisons":[{"field":"_id","operator":"EQ","value":"ff"}]}],"limit":1}'
    expect(server.replacements).toEqual([`{"query":${query},"document":${old}}`])
    const line = await within(drawer).findByRole('button', { name: /^rev 3\b.*tx/ })
    expect(line.textContent).toContain('tx 12')
  })

  test('uses the field that holds the ids today', async () => {
    const { server, asked, press } = await shown(['{"_id":"ff","key":"old"}', '{"key":"ff"}'])
    server.idField = 'key'
    const question = await asked()
    within(question).getByText(/^“key” holds the ids of the collection now\. Its old content/)
    await press(question, 'Restore revision')
    await waitFor(() => expect(server.replacements).toHaveLength(1))
    const [body = ''] = server.replacements
    expect(JSON.parse(body)).toMatchObject({ document: { _id: 'ff', key: 'ff' } })
    expect(body).toContain('"field":"key"')
  })

  test('warns of numbers that doubles or JSON do not hold, and changes none', async () => {
    const old = '{"_id":"ff","a":[{"b":9007199254740992}],"c":"NaN","d":9007199254740991}'
    const { server, asked, press } = await shown([old, '{"_id":"ff"}'])
    const question = await asked()
    within(question).getByText(/^There are numbers above 2\^53 in “a”\. immudb stores/)
    within(question).getByText(/^There is NaN or Infinity in “c”\. The server's answers use/)
    await press(question, 'Restore revision')
    await waitFor(() => expect(server.replacements[0]).toContain(`"document":${old}`))
  })

  test('of a document that was deleted meanwhile is refused, with nothing written', async () => {
    const { server, asked, press } = await shown(['{"_id":"ff","n":1}', '{"_id":"ff","n":2}'])
    const question = await asked()
    server.contents.push(null)
    await press(question, 'Restore revision')
    await within(question).findByText(/^The document is no longer there/)
    within(question).getByText(/Nothing was restored\./)
    expect(server.contents).toHaveLength(3)
  })

  test('of a document that someone else changed meanwhile is not sent', async () => {
    const { server, asked, press } = await shown(['{"_id":"ff","n":1}', '{"_id":"ff","n":2}'])
    const question = await asked()
    expect(within(question).getAllByRole('definition')[0]?.textContent).toBe('2 → 1')
    server.contents.push('{"_id":"ff","n":3}')
    await press(question, 'Restore revision')
    await within(question).findByText(/revision 3 was written by ada in tx 12/)
    expect(server.replacements).toEqual([])
  })

  test.each([
    [
      'conflict due to uniqueness contraint violation or read document was updated by another transaction',
      // A browser may have sent it twice.
      /^It is not known whether this was restored\. The document changed at the same moment, or/,
    ],
    ['unexpected value: expecting value of type INTEGER: field: n', /^Unexpected value: expecting/],
  ])('tells the refusal “%s”', async (error, words) => {
    const { server, asked, press } = await shown(['{"_id":"ff","n":1}', '{"_id":"ff","n":2}'])
    server.answer = () => Response.json({ error, code: 2, message: error }, { status: 500 })
    const question = await asked()
    await press(question, 'Restore revision')
    await within(question).findByText(words)
    expect(server.replacements).toHaveLength(1)
  })

  test('without an answer is said, checked by the audit, and told of no other history', async () => {
    const contents = ['{"_id":"ff","n":1}', '{"_id":"ff"}']
    const { store, server, drawer, asked, press } = await shown(contents)
    server.answer = () => Promise.reject(new TypeError('network'))
    const question = await asked()
    await press(question, 'Restore revision')
    await within(question).findByText(/^It is not known whether this was restored\./)
    await press(question, 'Check now')
    await within(question).findByText(/^Not stored so far\./)
    // It was, only later.
    server.replace('{"document":{"n":1,"_id":"ff"}}')
    await press(question, 'Check now')
    const found = await within(question).findByText(
      sentence('The newest revision has this content: it was written in tx 12 by ada.'),
    )
    expect(within(found).getByRole('link').getAttribute('href')).toBe('/tx?db=db&id=12')
    expect(server.replacements).toHaveLength(1)
    await press(question, 'Cancel')
    within(drawer).getByText(/^It is not known whether revision 1 was restored\./)
    const last = store.get(lastRestoreAtom)
    expect([last(opened).state.kind, last({ ...opened, id: 'aa' }).state.kind]).toEqual([
      'unknown',
      'idle',
    ])
  })
})

describe('Restore is off, with the reason,', () => {
  test('for a document that was deleted, and what is possible is said', async () => {
    const { drawer, restoreButton } = await shown(['{"_id":"ff","n":1}', null])
    await within(drawer).findByText(/^This document was deleted\. immudb does not take/)
    expect(restoreButton().getAttribute('aria-disabled')).toBe('true')
    expect(restoreButton().title).toMatch(/does not take it back under its old id\.$/)
  })

  test('without the permission, as of a moment, and on read-only databases', async () => {
    const { store, restoreButton } = await shown(['{"_id":"ff","n":1}', '{"_id":"ff"}'])
    const reason = () => restoreButton().title
    expect(reason()).toBe('')
    act(() => store.set(permissionsAtom, [{ database: 'db', permission: 1 }]))
    expect(reason()).toBe('This needs the permission “Read & write” on the database.')
    act(() => store.set(permissionsAtom, [{ database: 'db', permission: 2 }]))
    act(() => noteAddressedMoment(store, store.get(databaseAtom) ?? '', 'tx:10'))
    expect(reason()).toMatch(/past, which cannot be changed/)
    act(() => noteAddressedMoment(store, store.get(databaseAtom) ?? '', undefined))
    await act(async () => await chooseReadOnly(store, 'db', true))
    expect(reason()).toBe('db is set to read-only in this browser (Settings, Safety).')
  })
})

describe('hostile content of documents', () => {
  const texts = [
    ...new Set(corpusBytes().map(({ bytes }) => JSON.stringify(bytes.toString().slice(0, 100)))),
  ]
  const foreign =
    'script, img, iframe, object, embed, svg:not([aria-hidden]), a[href^="javascript"], [onerror], style'

  test('in names and values is text, here and in the question', async () => {
    const fields = texts.map((text) => `${text}:${text}`)
    const old = `{"_id":"ff",${fields.join(',')}}`
    const { drawer, asked } = await shown([old, '{"_id":"ff"}'])
    expect(texts.length).toBeGreaterThan(100)
    expect(drawer.textContent).toContain('<script>window.__pwn=1</script>STRING')
    const question = await asked()
    expect(drawer.querySelectorAll(foreign)).toHaveLength(0)
    expect(question.querySelectorAll(foreign)).toHaveLength(0)
    expect(question.textContent).toContain('<script>window.__pwn=1</script>')
    expect('__pwn' in window).toBe(false)
  })

  test('in names that look alike, are empty or long is told apart', async () => {
    const long = 'n'.repeat(100_000)
    const { drawer } = await shown([`{"a ":1,"":2,"p\u0430y":3,"${long}":4}`, '{"_id":"ff"}'])
    const names = within(drawer)
      .getAllByRole('rowheader')
      .map(({ textContent }) => textContent)
    expect(names).toEqual([
      'a␣NUMBER',
      "''NUMBER",
      'p\u0430ymixed scriptsNUMBER',
      `${'n'.repeat(200)}… (100,000 characters)NUMBER`,
    ])
  })

  test('with bytes that are not UTF-8 has marks for them', async () => {
    const { drawer } = await shown(['{"_id":"ff","a":"x\u00ff"}', '{"_id":"ff"}'])
    const row = await within(drawer).findByRole('row', { name: /^a STRING/ })
    expect(row.textContent).toContain('x\ufffd')
  })

  test('with thousands of fields and long values is drawn in parts', async () => {
    const many = Array.from({ length: 5_000 }, (_, at) => `"f${at}":${at}`).join(',')
    const long = JSON.stringify('long '.repeat(600_000))
    const { user, drawer, asked } = await shown([
      `{"_id":"ff","long":${long},${many}}`,
      '{"_id":"ff"}',
    ])
    expect(within(drawer).getAllByRole('rowheader')).toHaveLength(200)
    within(drawer).getByText(/… \(3,000,000 characters\)$/)
    await user.click(within(drawer).getByRole('button', { name: 'Show 200 of 4,802 more' }))
    expect(within(drawer).getAllByRole('rowheader')).toHaveLength(400)
    const question = await asked()
    within(question).getByText(/^These are the first 20,000 of 3,\d{3},\d{3} characters\./)
    expect(question.textContent?.length).toBeLessThan(25_000)
  })

  test('nested very deeply does not end the drawer', async () => {
    const depth = 2_000
    const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`
    const { drawer } = await shown([`{"_id":"ff","deep":${deep}}`, '{"_id":"ff"}'])
    within(drawer).getByRole('row', { name: /^deep JSON/ })
  })
})
