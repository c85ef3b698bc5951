import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { Provider } from 'jotai'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { EvidencePane } from '~/screens/verify/evidence/EvidencePane'
import { Exchange } from '~/screens/verify/states/Exchange'
import { closeEvidence, evidenceAtom, openEvidence } from '~/trust/evidence'
import { fileName } from '~/ui/file'
import { corpusBytes } from '../support/corpus-bytes'
import { recordedEvidence } from '../support/evidence'
import { historyOf, ProvingServer, tabOf } from '../support/proving-server'
import { unmarked } from '../support/unmarked'

vi.setConfig({ testTimeout: 60_000 })

/** Each text of the corpus that a file could be called or hold, without those made for their size. */
const texts = corpusBytes()
  .map(({ id, category, bytes }) => ({ id, category, text: bytes.toString() }))
  .filter(({ text }) => text !== '' && text.length < 500)

/** Those that could show as something else than they are. */
const shown = texts.filter(({ category }) =>
  /^(bidi-invisible|homoglyph|line-end|space|emoji)$/.test(category),
)
const some = [...shown, ...texts.filter(({ category }) => category === 'markup').slice(0, 3)]

let good: Record<string, unknown>
beforeAll(async () => {
  good = JSON.parse(await recordedEvidence('03-kv', ({ verify }) => verify === 'get'))
})

function show(part: typeof EvidencePane | typeof Exchange) {
  const store = tabOf(new ProvingServer(historyOf(3)))
  const Shown = part === Exchange ? () => <Exchange records={[]} /> : EvidencePane
  render(
    <Provider store={store}>
      <Shown />
    </Provider>,
  )
  return store
}

function expectHarmless(id: string) {
  expect(unmarked(), id).toEqual([])
  expect(document.querySelectorAll('img, iframe, object, svg script, [onerror]'), id).toHaveLength(
    0,
  )
}

describe('A12: the corpus in files', () => {
  test('as the name of a file that is no evidence', async () => {
    const store = show(EvidencePane)
    expect(texts.length).toBeGreaterThan(150)
    for (const { id, text } of texts) {
      await act(() => openEvidence(store, new File(['{}'], text)))
      expect(store.get(evidenceAtom).kind, id).toBe('unreadable')
      await screen.findByText(/^Nothing of/)
      expectHarmless(id)
    }
  })

  test('as the name of evidence, and in all that evidence says of itself', async () => {
    const store = show(EvidencePane)
    for (const { id, category, text } of some) {
      const file = {
        ...good,
        what: text,
        server: { uuid: text, origin: text },
        console: { version: text, commit: text, bundle: text },
        // Of a value emoji stay whole.
        ...(category === 'emoji' ? {} : { report: { [text]: text } }),
      }
      const content = JSON.stringify(file)
      await act(() => openEvidence(store, new File([content], text)))
      expect(store.get(evidenceAtom).kind, id).toBe('checked')
      await screen.findByRole('heading', { name: /^Evidence: / })
      expectHarmless(id)
      await act(async () => closeEvidence(store))
    }
  })

  test('as the name of a file with points, and in the points', async () => {
    show(Exchange)
    const field = screen.getByLabelText('File with states')
    for (const { id, text } of some) {
      const one = `database: of ${text.replace(/[\r\n]/g, ' ')}\ntransaction: 7\nhash: ${'ab'.repeat(32)}\nserver: ${text}\naddress: ${text}\nrecorded: ${text}\n`
      const content = one + ' '.repeat(20_001)
      const file = { name: text, size: content.length, text: async () => content }
      await act(async () => fireEvent.change(field, { target: { files: [file] } }))
      await waitFor(() => expect(screen.queryByRole('list')).not.toBeNull())
      expectHarmless(id)
    }
  })

  test('as the name of what is saved, such as an audit or evidence of a table', () => {
    for (const { id, text } of texts) {
      expect(fileName(`evidence 2026-01-02T030405 ${text}`, 'json'), id).toMatch(
        /^[A-Za-z0-9_-]{1,60}\.json$/,
      )
      expect(fileName(text, 'json'), id).toMatch(/^[A-Za-z0-9_-]{1,60}\.json$/)
    }
  })
})
