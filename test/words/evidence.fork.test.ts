// @vitest-environment node
import { expect, test } from 'vitest'
import { forkKeysOf, forkWords } from '~/words/evidence'

const [one, other] = ['key of one', 'key of other']

test.each([
  [
    'one key: a database made again and a shared key are no lie',
    one,
    one,
    /made again or restored/,
  ],
  ['two keys: each holder by its own history', one, other, /its own key/],
  ['one side: only the holder of that key', one, null, /Only one of the two states is signed/],
  ['no key: nobody', null, null, /anyone can make one up/],
])('a certificate of a fork convicts, with %s', (_how, first, second, words) => {
  const { text } = forkWords('file', forkKeysOf([first, second]))
  expect(text).toMatch(words)
  expect(text).not.toContain('at most one of them is true')
})
