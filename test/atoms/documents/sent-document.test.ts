// @vitest-environment node
import { expect, test } from 'vitest'
import { isSent } from '~/atoms/documents/sent-document'

const id = '0123456789abcdef0123456789abcdef'

test.each([
  ['with its id', '{"n":1}', { _id: id, n: 1 }, true],
  ['with its id under a name that is new since', '{"n":1}', { code: id, n: 1 }, true],
  ['with its id in capitals', '{"n":1}', { _id: id.toUpperCase(), n: 1 }, true],
  ['with its id twice', '{"n":1}', { _id: id, code: id, n: 1 }, false],
  ['with its id, and once more as it was typed', `{"me":"${id}"}`, { _id: id, me: id }, true],
  ['with an id that was typed', `{"_id":"${id}"}`, { _id: id, code: id }, true],
  ['without what was typed', `{"old":"${id}"}`, { code: id }, false],
  ['with more', '{"n":1}', { _id: id, n: 1, m: 2 }, false],
  ['with another value', '{"n":1}', { _id: id, n: 2 }, false],
  ['with a rounded number', '{"n":9007199254740993}', { _id: id, n: 9007199254740992 }, true],
])('a stored document %s is or is not the sent one', (_, json, stored, expected) => {
  expect(isSent(json, stored, id)).toBe(expected)
})
