// @vitest-environment node
import { expect, test } from 'vitest'
import { type Box, findRoom, isFree } from '~/ui/toast'

const size = { width: 300, height: 40 }
const view = { width: 1_440, height: 900, start: 48 }
const box = (left: number, top: number, width: number, height: number): Box => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
})

test('is the top right where nothing is', () => {
  expect(findRoom(size, view, [])).toEqual({ top: 56, right: 8 })
})

test('is beside a button in the corner, at the same height', () => {
  const button = box(1_330, 64, 86, 32)
  const room = findRoom(size, view, [button])
  expect(room).toEqual({ top: 96, right: 8 })
  const list = box(200, 100, 1_216, 700)
  const beside = findRoom(size, view, [button, list])
  expect(beside).toEqual({ top: 56, right: 112 })
  expect(beside && isFree(beside, size, view, [button, list])).toBe(true)
})

test('is none where controls fill the upper part, as on a phone', () => {
  expect(findRoom(size, view, [box(0, 48, 1_440, 852)])).toBeNull()
  expect(
    findRoom({ width: 374, height: 56 }, { width: 390, height: 844, start: 56 }, [
      box(230, 72, 144, 44),
      box(16, 130, 358, 700),
    ]),
  ).toBeNull()
})
