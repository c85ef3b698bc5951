// @vitest-environment node
import { expect, test } from 'vitest'
import { withoutPasswords } from '~/atoms/query/editor'

test.each([
  ["CREATE USER a WITH PASSWORD 'x''y' READ; SELECT 'b'", "PASSWORD '' READ; SELECT 'b'"],
  ["alter user a with password'x;y' admin", "password'' admin"],
  ["PASSWORD /* it's */ -- 'here'\n 'x' READ", "PASSWORD /* it's */ -- 'here'\n '' READ"],
  ['PASSWORD "x" READ; SELECT "b"', `PASSWORD '' READ; SELECT "b"`],
  ["PASSWORD 'x\ny' READ; SELECT 'b'", "PASSWORD '' READ; SELECT 'b'"],
  ["PASSWORD 'x READ;\nSELECT 'b'", "PASSWORD ''\nSELECT 'b'"],
  ["PASSWORD 'x", "PASSWORD ''"],
  ["PASSWORD ''", "PASSWORD ''"],
  ["-- CREATE USER a WITH PASSWORD 'x'", "PASSWORD ''"],
  ["PASSWORD 'x' READ; PASSWORD 'y' READ", "PASSWORD '' READ; PASSWORD '' READ"],
])('%s is stored without its password', (text, rest) => {
  const blanked = withoutPasswords(text)
  expect(blanked).toContain(rest)
  expect(blanked).not.toMatch(/['"\s][xy]\b/)
})

test.each([
  "SELECT password FROM t WHERE name = 'x'",
  "INSERT INTO t(password) VALUES ('x')",
  "SELECT 'my_password ' , 'x'",
])('%s stays as it is', (text) => {
  expect(withoutPasswords(text)).toBe(text)
})

test('a text made to be slow to read is not', () => {
  const text = `PASSWORD ${'/**/-- --\n'.repeat(20_000)} x`
  expect(withoutPasswords(text)).toBe(text)
})
