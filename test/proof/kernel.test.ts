// @vitest-environment node
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { expect, test } from 'vitest'
import { formatCount } from '~/lib/text'
import { kernel } from '../support/architecture'

const security = readFileSync('.github/SECURITY.md', 'utf8')
const linesOf = (path: string) => readFileSync(path, 'utf8').split('\n').length - 1

/** Files of a folder with their lines, without tests. */
function counted(folder: string, end: RegExp): ReadonlyMap<string, number> {
  const names = readdirSync(folder).filter((name) => end.test(name))
  return new Map(names.sort().map((name) => [`${folder}${name}`, linesOf(`${folder}${name}`)]))
}

const languages = [
  ['TypeScript', kernel, /\.ts$/],
  ['Go', 'embed/verify/', /(?<!_test)\.go$/],
] as const

// npx vitest run --config test/vitest.config.ts test/proof/kernel.test.ts --update counts again.
test('SECURITY.md counts what has to be read in each language', async () => {
  let text = security
  for (const [language, folder, end] of languages) {
    const files = counted(folder, end)
    const rows = [...text.matchAll(/^\| `([^`]+)` \| [\d,]+ \|/gm)].map(([, path = '']) => path)
    expect(rows.filter((path) => path.startsWith(folder)).sort()).toEqual([...files.keys()])
    const all = [...files.values()].reduce((sum, lines) => sum + lines, 0)
    text = text
      .replace(new RegExp(`${language}: [\\d,]+ lines`), `${language}: ${formatCount(all)} lines`)
      .replace(/^(\| `([^`]+)` \| )[\d,]+(?= \|)/gm, (row, start, path) => {
        const lines = files.get(path)
        return lines === undefined ? row : `${start}${lines}`
      })
  }
  await expect(text).toMatchFileSnapshot('../../.github/SECURITY.md')
})

test('everything in the kernel is reached from its entry and from the verdict', () => {
  const next = (path: string) => {
    const targets = readFileSync(path, 'utf8').matchAll(/(?:from |import\()'(\.[^']+)'/g)
    return [...targets].map(([, to = '']) => `${posix.join(posix.dirname(path), to)}.ts`)
  }
  const reached = new Set([`${kernel}verify.ts`, `${kernel}verdict.ts`])
  for (const path of reached) for (const to of next(path)) reached.add(to)
  expect([...reached].sort()).toEqual([...counted(kernel, /\.ts$/).keys()])
})

test('every file that VERIFY.md and SECURITY.md name is there', () => {
  const verify = readFileSync('src/proof/VERIFY.md', 'utf8')
  const named = [...verify.matchAll(/`((?:src\/|kernel\/)?[a-z/-]+\.ts)`/g)].map(
    ([, to = '']) => to,
  )
  expect(named.length).toBeGreaterThan(40)
  const gone = named.filter((to) => !existsSync(to.startsWith('src/') ? to : `src/proof/${to}`))
  expect(gone).toEqual([])
  const paths = [...security.matchAll(/`((?:src|embed)\/[\w./-]+)`/g)].map(([, to = '']) => to)
  expect(paths.filter((path) => !existsSync(path))).toEqual([])
})
