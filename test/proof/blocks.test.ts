// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { bytesToBase64, bytesToHex, hexToBytes } from '~/lib/bytes'
import { concat, fromBase64 } from '~/proof/kernel/bytes'
import { entriesRoot, entryDigest, readEntryMetadata } from '~/proof/kernel/entry'
import { addLeaf, emptyTree, rootOf } from '~/proof/kernel/growing-tree'
import { emptyHash, hash, leaf } from '~/proof/kernel/hash'
import { alhOf, innerHash, metadataBytes, readHeader } from '~/proof/kernel/header'
import { statePayload } from '~/proof/kernel/signed-state'
import { askedCell, keyPart } from '~/proof/kernel/sql-type'
import { sortedSetKey } from '~/proof/kernel/stored'
import { publicKeyOfPem } from '~/proof/public-key'
import { fixture } from '../support/proofs'

type Unit = {
  emptyRoot: string
  headers: {
    header: Record<string, unknown>
    metadataBytes?: string
    innerHash: string
    alh: string
  }[]
  entryDigests: { version: number; key: string; metadata: unknown; value: string; digest: string }[]
  entryTrees: { digests: string[]; root: string }[]
  growingTree: { size: number; appended: string; root: string }[]
  statePayload: { db: string; txId: string; txHash: string; payload: string }[]
  pkEncodings: {
    type: string
    value: Record<string, unknown>
    maxLen: number
    encoded: string
  }[]
  zaddKey: string
  publicKeyPem: string
  publicKeyPoint: string
}

const unit = fixture('00-unit') as Unit

const bytes = (text: string) => hexToBytes(text) ?? new Uint8Array()
const base64 = (text: string) => fromBase64(text) ?? new Uint8Array()

describe('the building blocks', () => {
  test('the hash of nothing', () => {
    expect(bytesToHex(emptyHash)).toBe(unit.emptyRoot)
    expect(bytesToHex(entriesRoot([]))).toBe(unit.emptyRoot)
  })

  test.each(unit.headers)('header %#', ({ header, ...expected }) => {
    const read = readHeader(header)
    expect(bytesToHex(innerHash(read))).toBe(expected.innerHash)
    expect(bytesToHex(alhOf(read))).toBe(expected.alh)
    if (expected.metadataBytes !== undefined) {
      expect(bytesToHex(metadataBytes(read))).toBe(expected.metadataBytes)
    }
  })

  test.each(unit.entryDigests)('entry digest %#', ({ version, key, value, digest, ...rest }) => {
    const metadata = readEntryMetadata(rest)
    const entry = { key: base64(key), metadata, hValue: hash(base64(value)) }
    expect(bytesToHex(entryDigest(version, entry))).toBe(digest)
  })

  test.each(unit.entryTrees)('tree of entries %#', ({ digests, root }) => {
    expect(bytesToHex(entriesRoot(digests.map(bytes)))).toBe(root)
  })

  test('the growing tree', () => {
    const tree = emptyTree()
    expect(bytesToHex(rootOf(tree))).toBe('00'.repeat(32))
    for (const { size, appended, root } of unit.growingTree) {
      addLeaf(tree, leaf(bytes(appended)))
      expect([tree.size, bytesToHex(rootOf(tree))]).toEqual([size, root])
    }
  })

  test.each(unit.statePayload)('signed bytes of $db', ({ db, txId, txHash, payload }) => {
    expect(bytesToHex(statePayload(db, { txId: BigInt(txId), txHash: bytes(txHash) }))).toBe(
      payload,
    )
  })

  test.each(unit.pkEncodings)('key of $type $value', ({ type, value, maxLen, encoded }) => {
    const cell = askedCell(type, value)
    expect(bytesToHex((cell && keyPart(type, maxLen, cell)) ?? new Uint8Array())).toBe(encoded)
  })

  test('key of a member of a sorted set', () => {
    const text = (letters: string) => new TextEncoder().encode(letters)
    expect(bytesToHex(sortedSetKey(text('set'), -2.5, text('b'), 0n))).toBe(unit.zaddKey)
  })

  test('public key of a PEM file', () => {
    const point = publicKeyOfPem(unit.publicKeyPem)
    expect(bytesToHex(base64(point ?? ''))).toBe(unit.publicKeyPoint)
    const windows = unit.publicKeyPem.replaceAll('\n', '\r\n')
    expect(publicKeyOfPem(windows)).toBe(point)
    const other = unit.publicKeyPem.replace('MFkw', 'MFkx')
    for (const text of [other, '', 'PUBLIC', unit.publicKeyPem.replaceAll('PUBLIC', 'PRIVATE')]) {
      expect(publicKeyOfPem(text)).toBeNull()
    }
  })
})

describe('keys beyond the recorded ones', () => {
  const part = (type: string, value: Record<string, unknown>, maxLen = 8) => {
    const cell = askedCell(type, value)
    const key = cell && keyPart(type, maxLen, cell)
    return key ? bytesToHex(key) : null
  }

  test.each([
    ['FLOAT', { f: -0 }, 8, '807fffffffffffffff'],
    ['FLOAT', { f: Number.MAX_VALUE }, 8, '80ffefffffffffffff'],
    ['INTEGER', { n: '-9223372036854775808' }, 8, '800000000000000000'],
    // The nanoseconds of the year 294247 wrap around, as Go's `UnixNano` does.
    ['TIMESTAMP', { ts: '9223372036854775807' }, 8, '807ffffffffffffc18'],
    [
      'UUID',
      { s: '00ED6A9E-F9B5-45A3-95D6-A4B8E3C5C940' },
      16,
      '8000ed6a9ef9b545a395d6a4b8e3c5c940',
    ],
    ['VARCHAR', { s: '' }, 2, '80000000000000'],
    ['VARCHAR', { s: '\uFEFF' }, 3, '80efbbbf00000003'],
    ['BLOB', { bs: '' }, 1, '800000000000'],
  ])('%s %j', (type, value, maxLen, encoded) => {
    expect(part(type, value, maxLen)).toBe(encoded)
  })

  test.each([
    ['VARCHAR', { s: 'abc' }, 2],
    ['VARCHAR', { n: '1' }, 8],
    ['INTEGER', { s: '1' }, 8],
    ['UUID', { s: '00ed6a9ef9b545a395d6a4b8e3c5c940' }, 16],
    ['JSON', { s: '{}' }, 8],
    ['NOTHING', { s: '{}' }, 8],
  ])('no key: %s %j', (type, value, maxLen) => {
    expect(part(type, value, maxLen)).toBeNull()
  })
})

describe('base64', () => {
  test('gives back what it was given', () => {
    const all = Uint8Array.from({ length: 256 }, (_, at) => at)
    for (let size = 0; size <= all.length; size += 1) {
      const some = all.subarray(0, size)
      expect(bytesToBase64(some)).toBe(Buffer.from(some).toString('base64'))
      expect(fromBase64(bytesToBase64(some))).toEqual(Uint8Array.from(some))
    }
  })

  test.each([
    'A',
    'AA',
    'AAA',
    'A===',
    '=',
    '====',
    'AB==',
    'AAB=',
    '-_8=',
    'AA=A',
    'A AA',
    'AAAA\n',
    'ÄAAA',
  ])('refuses %j', (text) => {
    expect(fromBase64(text)).toBeNull()
  })
})

test('a tree of any size has the root that a list of its leaves has', () => {
  const tree = emptyTree()
  const digests: Uint8Array[] = []
  for (let size = 1; size <= 70; size += 1) {
    const digest = hash(concat(Uint8Array.of(size)))
    digests.push(digest)
    addLeaf(tree, leaf(digest))
    expect(bytesToHex(rootOf(tree))).toBe(bytesToHex(entriesRoot(digests)))
  }
})
