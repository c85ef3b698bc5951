// @vitest-environment node
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { rooms } from './support/architecture'

const text = readFileSync('.github/CONTRIBUTING.md', 'utf8')
const inCode = [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)

/** Paths that stand alone, as arguments of a command, or as links. */
function paths(): string[] {
  const words = inCode.flatMap((code) => code.split(/\s+/))
  const named = words.filter((word) =>
    /^(src|test|embed|static)\/[\w./-]*$|^[\w-]+\.ts$/.test(word),
  )
  const linked = [...text.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, to]) => `.github/${to}`)
  return [...new Set([...named, ...linked])]
}

test('every path that CONTRIBUTING names exists', () => {
  expect(paths().length).toBeGreaterThan(50)
  expect(paths().filter((path) => !existsSync(path))).toEqual([])
})

test('every room of the source has its row in CONTRIBUTING', () => {
  const rooms = readdirSync('src').map((name) => `src/${name}`)
  const missing = rooms.filter((room) => !inCode.some((code) => [room, `${room}/`].includes(code)))
  expect(missing).toEqual([])
})

test('the rows name what each room may import', () => {
  const rows = [...text.matchAll(/^\| `src\/([a-z]+)\/` \|.*\| ([^|]+) \|$/gm)]
  const told = rows.map(([, room = '', names = '']) => {
    const list = names.replace(/ \([^)]*\)/g, '').split(', ')
    return [room, names === '–' ? [] : list.sort()]
  })
  const { main: _, 'verify-page': _alone, ...ruled } = rooms
  const sorted = Object.entries(ruled).map(([room, names]) => [room, [...names].sort()])
  expect(Object.fromEntries(told)).toEqual({ ...Object.fromEntries(sorted), styles: [] })
})

test('every npm command that CONTRIBUTING and the README name exists', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  const named = `${text}${readFileSync('README.md', 'utf8')}`.matchAll(
    /\bnpm run (?:-s )?([\w-]+)/g,
  )
  const unknown = [...named].map(([, name = '']) => name).filter((name) => !(name in scripts))
  expect(unknown).toEqual([])
})
