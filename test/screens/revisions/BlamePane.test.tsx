import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, test } from 'vitest'
import type { OpenRevisions } from '~/atoms/revisions/open-revisions'
import { decodeUtf8 } from '~/lib/bytes'
import { RevisionDrawer } from '~/screens/revisions/RevisionDrawer'
import { corpusBytes } from '../../support/corpus-bytes'
import { DocumentServer } from '../../support/document-server'
import { RevisionServer, tabWith } from '../../support/revision-server'
import { showPart } from '../../support/show-part'

const document: OpenRevisions = { kind: 'document', database: 'db', collection: 'c', id: 'ff' }
const row: OpenRevisions = { kind: 'row', database: 'db', table: 't', key: [{ n: '1' }] }

function Drawer({ of, isFirst }: { of: OpenRevisions; isFirst: boolean }) {
  const [place, go] = useState({ revision: '', isBlame: isFirst })
  return (
    <RevisionDrawer
      {...place}
      onBlame={(isBlame, revision = place.revision) => go({ isBlame, revision })}
      onChoose={(revision) => go({ ...place, revision })}
      onClose={() => {}}
      opened={of}
    />
  )
}

async function shown(
  server: Pick<DocumentServer, 'fetch'>,
  of: OpenRevisions = document,
  isFirst = true,
) {
  const user = userEvent.setup()
  await showPart(tabWith(server), <Drawer isFirst={isFirst} of={of} />)
  const drawer = await screen.findByRole('dialog', { name: /^History of/ })
  await within(drawer).findByRole('list', { name: 'Revisions' })
  const part = (name: string) =>
    within(drawer).findByRole('row', { name: new RegExp(`^${name}\\b`) })
  return { user, drawer, part }
}

const three = () =>
  new DocumentServer([
    '{"_id":"ff","age":1,"name":"x"}',
    '{"_id":"ff","age":2,"name":"x"}',
    '{"_id":"ff","age":2,"name":"y"}',
  ])

/** The same with each answer about revisions changed on its way. */
function lying(alter: (revisions: Record<string, unknown>[]) => unknown[], server = three()) {
  const fetch: typeof server.fetch = async (input, init) => {
    const answer = await server.fetch(input, init)
    if (!String(input).endsWith('/audit') || !answer.ok) return answer
    const { revisions } = await answer.json()
    return Response.json({ revisions: alter(revisions) })
  }
  return { fetch }
}

describe('the last change of each part', () => {
  test('is shown with revision, transaction, author and the value before', async () => {
    const { drawer, part } = await shown(three())
    await within(drawer).findByText(/^Found the last change of all 3 fields\./)
    expect((await part('age')).textContent).toMatch(/2before: 1Changed in tx 11, .*by ada/)
    expect((await part('name')).textContent).toContain('Changed in tx 12')
    expect((await part('_id')).textContent).toContain('Inserted in tx 10')
  })

  test('is opened and closed by a letter, and leads to its revision', async () => {
    const { user, drawer } = await shown(three(), document, false)
    await within(drawer).findByRole('region', { name: 'Revision 3' })
    await user.keyboard('b')
    const link = await within(drawer).findByRole('button', {
      name: 'rev 2: show the revision with the last change of age',
    })
    await user.click(link)
    await within(drawer).findByRole('region', { name: 'Revision 2' })
    await user.click(within(drawer).getByRole('button', { name: 'Last change of each field' }))
    await within(drawer).findByRole('region', { name: 'Last changes up to revision 2' })
    await user.keyboard('b')
    await within(drawer).findByRole('region', { name: 'Revision 2' })
    // A letter that is typed is no command.
    await user.type(within(drawer).getByLabelText('Compared with'), 'b')
    within(drawer).getByRole('region', { name: 'Revision 2' })
  })

  test('leads to Compare with the transactions before and after it', async () => {
    const { drawer } = await shown(three())
    const link = await within(drawer).findByRole('link', {
      name: 'Compare the database before and after the last change of age',
    })
    expect(link.getAttribute('href')).toBe(
      '/compare?db=db&from=10&to=11&tab=documents&collection=c',
    )
  })

  test('pauses after some revisions, and looks further when it is asked to', async () => {
    const contents = Array.from({ length: 500 }, (_, at) => `{"_id":"ff","n":${at < 9 ? 1 : 2}}`)
    const { user, drawer, part } = await shown(new DocumentServer(contents))
    await within(drawer).findByText(
      /^2 fields did not change in the revisions that were read\. The newest/,
    )
    await user.click(within(drawer).getByRole('button', { name: 'Look further back' }))
    await within(drawer).findByText(/^Found .* All 500 revisions/)
    expect((await part('n')).textContent).toContain('Changed in tx 19')
  })

  test('of a deletion says that there is none', async () => {
    const { drawer } = await shown(new DocumentServer(['{"_id":"ff"}', null]))
    await within(drawer).findByText(
      'This revision deleted the document. Choose the revision before it.',
    )
    expect(within(drawer).queryByRole('table')).toBeNull()
  })

  test('says of a row which revision hides a change', async () => {
    const server = new RevisionServer(
      [
        { tx: 5, v: 'one' },
        { tx: 9, v: 'one' },
      ],
      10,
    )
    server.goneBefore = 6
    const { part } = await shown(server, row)
    const { textContent } = await part('v')
    expect(textContent).toContain('No later than in tx 9')
    expect(textContent).toContain('Revision 1 cannot be read, so a change may be hidden there.')
  })

  test('shows names and values from outside as text', async () => {
    const hostile = corpusBytes()
      .filter(({ bytes }) => bytes.length < 500)
      .flatMap(({ bytes }) => decodeUtf8(bytes) ?? [])
      .filter((text) => /[^a-z0-9 ]/i.test(text))
      .slice(0, 60)
    const fields = Object.fromEntries(hostile.map((text) => [text, text]))
    const content = JSON.stringify({ _id: 'ff', ...fields })
    const { drawer } = await shown(new DocumentServer([content]))
    await within(drawer).findByRole('table', { name: 'The last change of each field' })
    expect(drawer.querySelector('img, script, iframe')).toBeNull()
    await waitFor(() =>
      expect(within(drawer).getAllByRole('rowheader')).toHaveLength(
        Object.keys(JSON.parse(content)).length,
      ),
    )
  })
})

describe('a server that lies about revisions', () => {
  test.each([
    [
      'tells two of one transaction',
      lying((all) => all.map((one) => ({ ...one, transactionId: '11' }))),
    ],
    [
      'tells them in another order',
      lying((all) =>
        all.map((one) => ({ ...one, transactionId: String(30 - Number(one.transactionId)) })),
      ),
    ],
  ])('and %s is told so, and no change is named done', async (_, server) => {
    const { drawer } = await shown(server)
    const alert = await within(drawer).findByRole('alert')
    expect(alert.textContent).toMatch(/in an order that no history has\. Do not rely/)
    expect(within(drawer).queryByText(/Found the last change/)).toBeNull()
  })

  test('and leaves out the middle one names a change that stays unproven', async () => {
    const { drawer, part } = await shown(
      lying(
        (all) => all.map((one) => ({ ...one, transactionId: one.revision === '1' ? '10' : '12' })),
        new DocumentServer(['{"_id":"ff","age":1,"name":"x"}', '{"_id":"ff","age":2,"name":"y"}']),
      ),
    )
    expect((await part('age')).textContent).toContain('Changed in tx 12')
    within(drawer).getByText(/It cannot prove that nothing came between the two, or after:/)
    expect(within(drawer).queryByText(/verified/i)).toBeNull()
  })
})
