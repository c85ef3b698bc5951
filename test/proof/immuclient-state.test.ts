// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { readStates, serverOfFile, writeState } from '~/proof/immuclient-state'

const txHash = Buffer.alloc(32, 7).toString('base64')

describe('a line of immuclient', () => {
  // `proto.Marshal` of immudb 1.11.1: tags 0a, 10 and 1a.
  const bytes = `0a0964656661756c7464621096011a20${'07'.repeat(32)}`
  const line = `defaultdb:${Buffer.from(bytes, 'hex').toString('base64')}`

  const own = line.replace('defaultdb', '')

  test('is written as immuclient writes it, and as programs with the Go client do', () => {
    const written = writeState({ database: 'defaultdb', txId: '150', txHash })
    expect(written).toBe(`${own}\n${line}\n`)
  })

  test('is read from either, and once when both say the same', () => {
    const found = readStates(own)
    expect(found).toMatchObject([{ database: 'defaultdb', txId: '150', txHash }])
    expect(readStates(`${own}\n${line}\n`)).toEqual(found)
  })

  test('is read, and what stands behind in it, such as a signature, is passed over', () => {
    const signed = Buffer.from(`${bytes}220612040a0a0a0a2805`, 'hex').toString('base64')
    const point = { database: 'defaultdb', txId: '150', txHash, server: 's1', origin: '', at: '' }
    expect(readStates(line, 's1')).toEqual([point])
    expect(readStates(`defaultdb:${signed}\n`, 's1')).toEqual([point])
  })

  test.each(['1', '127', '128', '300', '16384', '9007199254740991'])(
    'of transaction %s comes back as it was',
    (txId) => {
      expect(readStates(writeState({ database: 'db', txId, txHash }))).toMatchObject([{ txId }])
    },
  )

  test.each([
    ['nothing', ''],
    ['words', 'database: x'],
    ['a point as text', 'immudb trusted state\ndatabase: db\ntransaction: 1'],
    ['another database in it', line.replace('defaultdb', 'other')],
    ['no base64', 'defaultdb:CgI!'],
    ['no database', `:${Buffer.from(`10011a20${'07'.repeat(32)}`, 'hex').toString('base64')}`],
    ['no hash', `db:${Buffer.from('0a0264621001', 'hex').toString('base64')}`],
    [
      'no transaction',
      `db:${Buffer.from(`0a0264621a20${'07'.repeat(32)}`, 'hex').toString('base64')}`,
    ],
    ['a number beyond 53 bits', writeState({ database: 'db', txId: '9007199254740993', txHash })],
    ['one of them wrong', `${line}\nother:AAAA`],
  ])('is not found in %s', (_, text) => expect(readStates(text)).toBeNull())

  test('comes with others in one file', () => {
    const both = `${line}\n${writeState({ database: 'db', txId: '2', txHash })}`
    expect(readStates(both)?.map(({ database }) => database)).toEqual(['defaultdb', 'db'])
  })
})

test.each([
  ['.state-d41d8cd98f00b204', 'd41d8cd98f00b204'],
  ['_state-abc', 'abc'],
  ['state-abc.txt', 'abc'],
  ['points.txt', ''],
])('a file called %s is of server “%s”', (name, server) => {
  expect(serverOfFile(name)).toBe(server)
})
