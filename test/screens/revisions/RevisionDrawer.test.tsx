import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, test, vi } from 'vitest'
import type { OpenRevisions } from '~/atoms/revisions/open-revisions'
import { permissionsAtom } from '~/core/session/session'
import { RevisionDrawer } from '~/screens/revisions/RevisionDrawer'
import { RevisionServer, tabWith } from '../../support/revision-server'
import { showPart } from '../../support/show-part'

const row: OpenRevisions = { kind: 'row', database: 'db', table: 't', key: [{ n: '1' }] }

function Drawer({ start = '', onClose = () => {} }: { start?: string; onClose?: () => void }) {
  const [revision, choose] = useState(start)
  return <RevisionDrawer onChoose={choose} onClose={onClose} opened={row} revision={revision} />
}

const walked = () =>
  new RevisionServer(
    [
      { tx: 5, v: 'one' },
      { tx: 9, v: '<b>two</b>' },
      { tx: 12, v: '<b>two</b>', isDeletion: true },
      { tx: 90, v: 'three' },
    ],
    100,
  )

async function shown(server = walked(), start = '') {
  const store = tabWith(server)
  store.set(permissionsAtom, [{ database: 'db', permission: 2 }])
  const onClose = vi.fn()
  await showPart(store, <Drawer onClose={onClose} start={start} />)
  const dialog = await screen.findByRole('dialog', { name: 'History of row id = 1 of t' })
  await within(dialog).findByRole('list', { name: 'Revisions' })
  const line = (number: number) =>
    within(dialog).findByRole('button', {
      name: new RegExp(`^rev ${number.toLocaleString('en')}\\b.*tx`),
    })
  return { dialog, line, onClose }
}

describe('the history drawer', () => {
  test('says what each revision did, by more than colour', async () => {
    const { line } = await shown()
    expect((await line(4)).textContent).toContain('tx 90Inserted again')
    expect((await line(3)).textContent).toContain('tx 12Deleted')
    expect((await line(1)).textContent).toContain('tx 5Inserted')
    expect((await line(4)).getAttribute('aria-current')).toBe('true')
  })

  test('compares a revision with the one before, and with any other by choice', async () => {
    const user = userEvent.setup()
    const { dialog, line } = await shown()
    await user.click(await line(2))
    const changed = await within(dialog).findByRole('row', { name: /^v VARCHAR ± changed/ })
    expect(changed.textContent).toContain('one<b>two</b>')
    expect(within(dialog).queryByRole('row', { name: /^id/ })).toBeNull()
    await user.click(within(dialog).getByRole('button', { name: 'Show 1 more that are the same' }))
    within(dialog).getByRole('row', { name: /^id INTEGER/ })
    const other = within(dialog).getByLabelText('Compared with')
    await user.clear(other)
    await user.type(other, '4')
    await within(dialog).findByText('three')
    await user.clear(other)
    await user.type(other, '9')
    within(dialog).getByText('A whole number from 1 to 4.')
  })

  test('is walked by the keyboard', async () => {
    const user = userEvent.setup()
    const { line, onClose } = await shown()
    act(() => document.querySelector<HTMLElement>('[data-number="4"]')?.focus())
    await user.keyboard('{ArrowDown}')
    expect((await line(3)).getAttribute('aria-current')).toBe('true')
    await user.keyboard('{End}')
    expect((await line(1)).getAttribute('aria-current')).toBe('true')
    await user.keyboard('{Escape}')
    expect(onClose).toHaveBeenCalled()
  })

  test('shortens a number of an address so that it shows', async () => {
    const { dialog } = await shown(walked(), '7'.repeat(30))
    within(dialog).getByText(`There is no revision ${'7'.repeat(20)}…; the newest is 4.`)
  })

  test('says where a revision of an address does not exist', async () => {
    const { dialog } = await shown(walked(), '77')
    within(dialog).getByText('There is no revision 77; the newest is 4.')
  })

  test('reads a revision that takes long to find only when asked to', async () => {
    const user = userEvent.setup()
    const versions = Array.from({ length: 2_100 }, (_, at) => ({ tx: 1 + at * 28, v: `v${at}` }))
    const server = new RevisionServer(versions, 58_800)
    server.isListed = true
    const { dialog, line } = await shown(server, '1050')
    const lookUp = await within(dialog).findByRole('button', { name: 'Look up revision 1,050' })
    expect(server.asked.filter(({ path }) => path === '/db/tx')).toEqual([])
    await user.click(lookUp)
    await within(dialog).findByRole('row', { name: /^v / }, { timeout: 20_000 })
    expect(dialog.textContent).toContain('v1049')
    expect((await line(1_050)).textContent).toContain('tx 29,373')
    expect(server.count('OFFSET')).toBe(0)
  })

  test('restores a revision that is shown first, by a statement that requires the row as it is', async () => {
    const user = userEvent.setup()
    const server = walked()
    server.write = () => {
      server.last = 101
      server.versions.push({ tx: 101, v: 'one' })
      const header = { id: '101', prevAlh: 'eA==', ts: '1700000101', nentries: 1 }
      return Response.json({ txs: [{ header, updatedRows: 1 }] })
    }
    const { dialog, line } = await shown(server)
    await user.click(await line(1))
    await within(dialog).findByRole('row', { name: /^v / })
    await user.click(within(dialog).getByRole('button', { name: 'Restore…' }))
    const question = await screen.findByRole('dialog', { name: 'Restore revision 1?' })
    expect(within(question).getAllByRole('definition')[0]?.textContent).toBe('three → one')
    await user.click(within(question).getByText('Show what is sent'))
    expect(question.textContent).toContain(
      'UPDATE t\nSET v = @p1\nWHERE id = @p2\nLIMIT 1 / (SELECT COUNT(*) FROM t WHERE id = @p2 AND NOT NOT (v = @p3));',
    )
    expect(within(question).getByText("'three'")).toBeTruthy()
    expect(server.asked.some(({ path }) => path === '/db/sqlexec')).toBe(false)
    await user.click(within(question).getByRole('button', { name: 'Restore revision' }))
    await within(dialog).findByText(/^Restored in/)
    expect((await line(5)).textContent).toContain('tx 101')
    const sent = server.asked.filter(({ path }) => path === '/db/sqlexec')
    expect(sent.map(({ body }) => body.params)).toEqual([
      [
        { name: 'p1', value: { s: 'one' } },
        { name: 'p2', value: { n: '1' } },
        { name: 'p3', value: { s: 'three' } },
      ],
    ])
  })

  test('is told in words when someone else changed the row first', async () => {
    const user = userEvent.setup()
    const server = walked()
    server.write = () =>
      Response.json(
        { error: 'division by zero: invalid limit', code: 2 },
        // As behind a guard that runs a write once.
        { status: 500, headers: { 'webconsole-fresh': 'kept', connection: 'Webconsole-Fresh' } },
      )
    const { dialog, line } = await shown(server)
    await user.click(await line(1))
    await within(dialog).findByRole('row', { name: /^v / })
    await user.click(within(dialog).getByRole('button', { name: 'Restore…' }))
    const question = await screen.findByRole('dialog', { name: 'Restore revision 1?' })
    await user.click(within(question).getByRole('button', { name: 'Restore revision' }))
    await within(question).findByText(/^Someone else changed the row first\./)
    await within(question).findByText(/Nothing was restored/)
  })

  test('keeps a refused restore open with the reason', async () => {
    const user = userEvent.setup()
    const { dialog, line } = await shown()
    await user.click(await line(2))
    await within(dialog).findByRole('row', { name: /^v / })
    await user.click(within(dialog).getByRole('button', { name: 'Restore…' }))
    const question = await screen.findByRole('dialog', { name: 'Restore revision 2?' })
    await user.click(within(question).getByRole('button', { name: 'Restore revision' }))
    await within(question).findByText(/Nothing was restored/)
  })

  test('has nothing to restore of a deletion, and says so', async () => {
    const user = userEvent.setup()
    const { dialog, line } = await shown()
    await user.click(await line(3))
    await within(dialog).findByText(/This revision deleted the row/)
    const button = within(dialog).getByRole('button', { name: 'Restore…' })
    expect(button.getAttribute('aria-disabled')).toBe('true')
  })
})
