// @vitest-environment node
import { createHash, generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { fingerprintOf, publicKeyPem, readPublicKey } from '~/proof/public-key'

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pem = String(pair.publicKey.export({ type: 'spki', format: 'pem' }))
const der = pair.publicKey.export({ type: 'spki', format: 'der' })
const point = der.subarray(-65).toString('base64')

describe('a public key', () => {
  test.each([
    ['a PEM file', pem],
    ['one with spaces around it and other line ends', `\n ${pem.replaceAll('\n', '\r\n')} \n`],
    ['base64 of what is in the file', der.toString('base64')],
    ['the same in lines', der.toString('base64').replace(/.{30}/g, '$&\n')],
    ['base64 of the point alone', point],
  ])('is read from %s', async (_, text) => {
    expect(await readPublicKey(text)).toEqual({ key: point })
  })

  test('is written as the file that it was read from', () => {
    expect(publicKeyPem(point)).toBe(pem)
  })

  test('has the fingerprint that OpenSSL and sha256sum make of it', () => {
    expect(fingerprintOf(point)).toBe(createHash('sha256').update(der).digest('hex'))
  })
})

describe('what is no key', () => {
  const pemOf = (key: { export: (options: { type: 'spki'; format: 'pem' }) => unknown }) =>
    String(key.export({ type: 'spki', format: 'pem' }))
  const off = Buffer.from(point, 'base64')
  off[64] = (off[64] ?? 0) ^ 1
  test.each([
    ['nothing', '  \n', 'nothing'],
    ['a private key', String(pair.privateKey.export({ type: 'sec1', format: 'pem' })), 'private'],
    ['a private key in another format', '-----BEGIN ENCRYPTED PRIVATE KEY-----\n', 'private'],
    [
      'a key of RSA',
      pemOf(generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey),
      'other-pem',
    ],
    [
      'a key on another curve',
      pemOf(generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey),
      'other-pem',
    ],
    ['words', 'my key', 'not-a-key'],
    ['a hash', Buffer.alloc(32).toString('base64'), 'not-a-key'],
    ['65 other bytes', Buffer.alloc(65, 5).toString('base64'), 'not-a-key'],
    ['a point beside the curve', off.toString('base64'), 'not-on-curve'],
  ])('%s is refused', async (_, text, none) => {
    expect(await readPublicKey(text)).toEqual({ none })
  })
})
