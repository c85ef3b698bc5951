// @vitest-environment node
import { readFileSync } from 'node:fs'
import { createStore } from 'jotai'
import { describe, expect, test } from 'vitest'
import { writeStateText } from '~/immudb/state-text'
import { checkpointRunAtom } from '~/trust/checkpoint-run'
import { openDropped } from '~/trust/dropped-file'
import { droppedStatesAtom, takeDroppedStates } from '~/trust/dropped-states'
import { evidenceAtom } from '~/trust/evidence'
import { corpusBytes } from '../support/corpus-bytes'

const fixture = (name: string) => readFileSync(`test/fixtures/files/${name}.json`)
const fileOf = (name: string, ...parts: (string | Uint8Array<ArrayBuffer>)[]) =>
  new File(parts, name)

describe('a dropped file', () => {
  test.each(['get', 'fork', 'audit', 'refused', 'altered'])(
    'of evidence, %s, is read as that',
    async (name) => {
      const store = createStore()
      const bytes = new Uint8Array(fixture(name))
      expect(await openDropped(store, fileOf(`${name}.json`, bytes))).toEqual({ tab: 'evidence' })
      expect(store.get(evidenceAtom)).toMatchObject({ name: `${name}.json` })
    },
  )

  test('of evidence is known by its mark, wherever that stands', async () => {
    const { format, ...rest } = JSON.parse(fixture('get').toString())
    const text = JSON.stringify({ ...rest, report: 'x'.repeat(300_000), format })
    expect(await openDropped(createStore(), fileOf('e.json', text))).toEqual({ tab: 'evidence' })
  })

  test('of checkpoints is read as these', async () => {
    const store = createStore()
    // What begins like these is these; Witnesses says what is wrong with it.
    const found = await openDropped(store, fileOf('log', 'immudb/server/db\n1\n'))
    expect(found).toEqual({ tab: 'witnesses' })
    expect(store.get(checkpointRunAtom).kind).not.toBe('none')
  })

  test('of trusted states waits to be compared', async () => {
    const store = createStore()
    const text = writeStateText([
      {
        database: 'shop',
        txId: '7',
        txHash: `${'A'.repeat(43)}=`,
        server: '',
        origin: '',
      } as never,
    ])
    expect(await openDropped(store, fileOf('states.txt', text))).toEqual({ tab: 'points' })
    expect(store.get(droppedStatesAtom)?.name).toBe('states.txt')
    expect(takeDroppedStates(store)?.name).toBe('states.txt')
    expect(store.get(droppedStatesAtom)).toBeNull()
  })

  test.each([
    ['a picture', new Uint8Array([0x89, 0x50, 0x4e, 0x47]), /none of them/],
    ['an archive', new Uint8Array([0x50, 0x4b, 3, 4, 0]), /Unpack it/],
    ['nothing', '', /none of them/],
    ['other JSON', '{"format":"other"}', /none of them/],
    ['a text that mentions evidence', 'immudb webconsole evidence', /none of them/],
  ])('that is %s opens nothing, and says so', async (_, content, problem) => {
    const store = createStore()
    const found = await openDropped(store, fileOf('x', content))
    expect('problem' in found && found.problem).toMatch(problem)
    expect([store.get(evidenceAtom).kind, store.get(checkpointRunAtom).kind]).toEqual([
      'none',
      'none',
    ])
    expect(store.get(droppedStatesAtom)).toBeNull()
  })

  test('that cannot be read says so', async () => {
    const gone = { arrayBuffer: () => Promise.reject(new Error('gone')) }
    const file = { name: 'x', size: 5, slice: () => gone, ...gone, text: () => Promise.reject() }
    const found = await openDropped(createStore(), file as never)
    expect(found).toEqual({ problem: 'The file could not be read. Nothing was opened.' })
  })

  test('of the hostile corpus opens nothing', async () => {
    for (const { bytes, name } of corpusBytes()) {
      const found = await openDropped(createStore(), fileOf(name, new Uint8Array(bytes)))
      expect('problem' in found, name).toBe(true)
    }
  })
})
