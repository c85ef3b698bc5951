// @vitest-environment node
import { createHash, generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Checkpoint,
  NoteError,
  readCheckpoints,
  readVerifierKey,
  signedBy,
  type VerifierKey,
} from '~/proof/checkpoint'
import { checkpointFile, newSigner } from '../support/checkpoints'

const signer = newSigner('auditor.example')
const hashOf = (text: string) => createHash('sha256').update(text).digest('base64')
const state = (tx: number) => ({ txId: String(tx), txHash: hashOf(`tx ${tx}`) })
const noted = (tx: number) => ({ server: 'c9s2', database: 'ledger', ...state(tx) })
const note = (tx: number) => signer.note(noted(tx))
const three = checkpointFile([note(3), note(7), note(8)])

const bytesOf = (text: string) => new TextEncoder().encode(text)

function read(file: string | Uint8Array): Checkpoint[] {
  return [...readCheckpoints(typeof file === 'string' ? bytesOf(file) : file)]
}

/** The line and the reason for which a file is refused. */
function refusal(file: string | Uint8Array) {
  try {
    read(file)
  } catch (error) {
    if (error instanceof NoteError) return [error.line, error.why]
    throw error
  }
  return 'not refused'
}

async function keyOf(text: string): Promise<VerifierKey> {
  const read = await readVerifierKey(text)
  if ('none' in read) throw new Error(read.none)
  return read.key
}

describe('the key of a witness', () => {
  test('is read, with white space around it', async () => {
    const key = await keyOf(` ${signer.verifierKey}\r\n`)
    expect(key).toMatchObject({ name: 'auditor.example', text: signer.verifierKey })
    expect(signer.verifierKey.startsWith(`${key.name}+${key.keyHash}+`)).toBe(true)
  })

  const [name, keyHash, coded] = signer.verifierKey.split(
    /\+(?=[0-9a-f]{8}\+)|(?<=\+[0-9a-f]{8})\+/,
  )
  /** The text of a key whose hash is right, whatever its bytes are. */
  const withBytes = (bytes: Buffer) => {
    const sum = createHash('sha256').update('w\n').update(bytes).digest('hex').slice(0, 8)
    return `w+${sum}+${bytes.toString('base64')}`
  }
  // A point of small order, for which anyone can make signatures.
  const small = Buffer.from(`01${'00'.repeat(31)}`, 'hex')
  test.each([
    ['nothing', ' \n', 'nothing'],
    ['a private key', `PRIVATE+KEY+${signer.verifierKey}`, 'private'],
    ['a private key of OpenSSL', '-----BEGIN PRIVATE KEY-----\nAA==\n', 'private'],
    ['any text', 'auditor.example', 'not-a-key'],
    ['another name for the same key', `other+${keyHash}+${coded}`, 'wrong-hash'],
    ['another hash', `${name}+00000000+${coded}`, 'wrong-hash'],
    ['upper-case digits', `${name}+${keyHash?.toUpperCase()}x+${coded}`, 'not-a-key'],
    ['base64 with bits left over', `${name}+${keyHash}+${coded?.slice(0, -2)}B=`, 'not-a-key'],
    ['a name with a space', `a b+${keyHash}+${coded}`, 'not-a-key'],
    ['a name with a control character', `a\u0007+${keyHash}+${coded}`, 'not-a-key'],
    ['two keys', `${signer.verifierKey}\n${signer.verifierKey}`, 'not-a-key'],
    ['another kind of signature', withBytes(Buffer.concat([Buffer.of(4), small])), 'other-kind'],
    [
      'a key that is too short',
      withBytes(Buffer.concat([Buffer.of(1), small.subarray(1)])),
      'other-kind',
    ],
    ['a point of small order', withBytes(Buffer.concat([Buffer.of(1), small])), 'not-a-key'],
    ['no point', withBytes(Buffer.concat([Buffer.of(1), Buffer.alloc(32, 0x02)])), 'not-a-key'],
  ])('is not %s', async (_, text, none) => {
    expect(await readVerifierKey(text)).toEqual({ none })
  })
})

describe('a file of checkpoints', () => {
  test('is read as an independent signer wrote it', async () => {
    const notes = read(three)
    expect(notes).toMatchObject([
      { ...noted(3), line: 1 },
      { ...noted(7), line: 7 },
      { ...noted(8), line: 13 },
    ])
    expect(notes.map((one) => new TextDecoder().decode(one.note))).toEqual([
      note(3),
      note(7),
      note(8),
    ])
    const key = await keyOf(signer.verifierKey)
    expect(await Promise.all(notes.map((one) => signedBy(one, key)))).toEqual([
      'signed',
      'signed',
      'signed',
    ])
  })

  test('of a server without an id has a dash in its place', () => {
    const notes = read(signer.note({ ...noted(3), server: '' }))
    expect(notes).toMatchObject([{ server: '', database: 'ledger' }])
  })

  test('may have any letters in the name of the database', () => {
    const notes = read(signer.note({ ...noted(3), database: 'журнал_٣' }))
    expect(notes).toMatchObject([{ database: 'журнал_٣' }])
  })

  test('may hold the same twice', () => {
    expect(read(checkpointFile([note(3), note(3)]))).toMatchObject([noted(3), noted(3)])
  })

  test('that was cut anywhere is refused', () => {
    const whole = bytesOf(checkpointFile([note(3), note(7)]))
    const first = bytesOf(note(3)).length
    for (let end = 1; end < whole.length; end += 1) {
      const said = refusal(whole.subarray(0, end))
      if (end === first) expect(said).toBe('not refused')
      else expect(said).toContain('cut')
    }
  })

  const [origin = '', tx = '', hash = '', , signature = ''] = note(3).split('\n')
  const of = (...lines: string[]) => lines.map((line) => `${line}\n`).join('')
  test.each([
    ['empty', '', 1, 'empty'],
    ['with a byte order mark', `\ufeff${three}`, 1, 'bom'],
    ['with line ends of Windows', three.replaceAll('\n', '\r\n'), 1, 'crlf'],
    ['with one such line end', note(3).replace(`${tx}\n`, `${tx}\r\n`), 2, 'crlf'],
    ['of JSON', '{"tx": 1}\n', 1, 'origin'],
    ['of another log', of('go.sum database tree', tx, hash, '', signature), 1, 'origin'],
    ['without a database', of('immudb/c9s2', tx, hash, '', signature), 1, 'origin'],
    ['without a server', of('immudb//ledger', tx, hash, '', signature), 1, 'origin'],
    [
      'of two databases',
      checkpointFile([note(3), signer.note({ ...noted(7), database: 'x' })]),
      7,
      'another-origin',
    ],
    [
      'of two servers',
      checkpointFile([note(3), signer.note({ ...noted(7), server: 'x' })]),
      7,
      'another-origin',
    ],
    ['with a tab', of(`${origin}\t`, tx, hash, '', signature), 1, 'control'],
    ['with an empty line at its end', `${note(3)}\n`, 6, 'cut'],
    ['without its last line end', note(3).slice(0, -1), 5, 'cut'],
    ['with an empty line first', `\n${note(3)}`, 1, 'origin'],
    ['of transaction 0', of(origin, '0', hash, '', signature), 2, 'transaction'],
    ['with a zero in front', of(origin, '03', hash, '', signature), 2, 'transaction'],
    ['with a sign', of(origin, '+3', hash, '', signature), 2, 'transaction'],
    ['with a space behind', of(origin, '3 ', hash, '', signature), 2, 'transaction'],
    ['past 64 bits', of(origin, '9223372036854775808', hash, '', signature), 2, 'transaction'],
    ['with a hash of hex digits', of(origin, tx, 'ab'.repeat(32), '', signature), 3, 'hash'],
    ['with a short hash', of(origin, tx, 'AAAA', '', signature), 3, 'hash'],
    ['with bits left over', of(origin, tx, `${hash.slice(0, 42)}B=`, '', signature), 3, 'hash'],
    ['with a line more', of(origin, tx, hash, 'ext', '', signature), 4, 'more-lines'],
    ['without the empty line', of(origin, tx, hash, signature), 4, 'more-lines'],
    ['without a signature', of(origin, tx, hash, '', '', origin), 5, 'signature'],
    [
      'with a hyphen for the dash',
      of(origin, tx, hash, '', signature.replace('—', '-')),
      5,
      'signature',
    ],
    ['with two spaces', of(origin, tx, hash, '', signature.replace(' ', '  ')), 5, 'signature'],
    ['with a signature of no bytes', of(origin, tx, hash, '', '— a AAAA'), 5, 'signature'],
    ['with notes that touch', note(3) + note(7), 6, 'signature'],
    ['with two empty lines', `${note(3)}\n\n${note(7)}`, 7, 'separator'],
    [
      'with very many signatures',
      of(origin, tx, hash, '', ...Array(101).fill(signature)),
      105,
      'signatures',
    ],
  ])('%s is refused with the line', (_, text, line, why) => {
    expect(refusal(text)).toEqual([line, why])
  })

  test.each([
    ['that is no UTF-8', Uint8Array.of(0x69, 0xff, 0x0a), 'not-utf-8'],
    ['in UTF-16', new Uint8Array(Buffer.from(three, 'utf16le')), 'control'],
    ['that is compressed', Uint8Array.of(0x1f, 0x8b, 8, 0, 0x0a), 'control'],
  ])('%s is refused', (_, file, why) => {
    expect(refusal(file)).toEqual([1, why])
  })

  test('with any byte changed is refused, or not signed as it was', async () => {
    const key = await keyOf(signer.verifierKey)
    const bytes = bytesOf(note(3))
    await fc.assert(
      fc.asyncProperty(
        fc.nat(bytes.length - 1),
        fc.integer({ min: 1, max: 255 }),
        async (at, by) => {
          const changed = bytes.with(at, (bytes[at] ?? 0) ^ by)
          if (refusal(changed) !== 'not refused') return
          const signed = await Promise.all(read(changed).map((one) => signedBy(one, key)))
          expect(signed).not.toContain('signed')
        },
      ),
      { numRuns: 150 },
    )
  })
})

describe('a signature', () => {
  const other = newSigner('other.example')
  const [, , , , own = ''] = note(3).split('\n')
  const [text = ''] = note(3).split(/(?<=\n)(?=\n)/)
  const only = async (file: string, by = signer) => {
    const [one] = read(file)
    return one && signedBy(one, await keyOf(by.verifierKey))
  }

  test('of another key is not looked at', async () => {
    expect(await only(note(3), other)).toBe('other')
    expect(await only(`${text}\n${other.signature(text)}${own}\n`)).toBe('signed')
  })

  test('of a key with the same name is another', async () => {
    expect(await only(note(3), newSigner('auditor.example'))).toBe('other')
  })

  test('of another text is wrong', async () => {
    expect(await only(`${text}\n${signer.signature(`${text} `)}`)).toBe('wrong')
    expect(await only(note(3).replace(/^3$/m, '4'))).toBe('wrong')
  })

  test('is the first of two of the same key', async () => {
    expect(await only(`${text}\n${own}\n${signer.signature('x')}`)).toBe('signed')
    expect(await only(`${text}\n${signer.signature('x')}${own}\n`)).toBe('wrong')
  })

  test('of the example of FORMAT.md is right', async () => {
    const format = readFileSync('src/proof/FORMAT.md', 'utf8')
    const [example = ''] = /immudb\/cq.*\n.*\n.*\n\n *— .*\n/.exec(format) ?? []
    const [key = ''] = /(?<=with\n`)auditor\.example\+[^`]+/.exec(format) ?? []
    const [one] = read(example.replaceAll(/^ +/gm, ''))
    expect(one && (await signedBy(one, await keyOf(key)))).toBe('signed')
    expect(one).toMatchObject({ server: 'cq0000000000000000', database: 'defaultdb', txId: '42' })
  })

  test('that is cut short or longer is wrong', async () => {
    const [dash, name, base64 = ''] = own.split(' ')
    const bytes = Buffer.from(base64, 'base64')
    const line = (of: Buffer) => `${text}\n${dash} ${name} ${of.toString('base64')}\n`
    expect(await only(line(bytes))).toBe('signed')
    expect(await only(line(bytes.subarray(0, -1)))).toBe('wrong')
    expect(await only(line(Buffer.concat([bytes, Buffer.of(0)])))).toBe('wrong')
  })

  test('is made by a key that Node makes of a file of OpenSSL, too', async () => {
    const pem = generateKeyPairSync('ed25519').privateKey
    const one = newSigner('night-watch', pem)
    expect(await only(one.note(noted(9)), one)).toBe('signed')
  })
})
