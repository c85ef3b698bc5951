// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { titlesOf } from './support/titles'

const folder = fileURLToPath(new URL('.', import.meta.url))

const code = /\b[FA]\d{2}\b/g

type Fault = { readonly code: string; readonly words: string; readonly file: string }

function faultsOf(file: string): Fault[] {
  return titlesOf(readFileSync(`${folder}${file}`, 'utf8')).flatMap(({ title }) =>
    [...new Set(title.match(code))].map((one) => ({ code: one, words: wordsOf(title), file })),
  )
}

/** A title without the codes before or behind it. */
function wordsOf(title: string): string {
  return title.replace(/^(?:[FA]\d{2}[,:]? )+/, '').replace(/ \((?:[FA]\d{2}(?:, )?)+\)$/, '')
}

/** Every code with what the tests that name it say, and where they are. */
function catalogue(): string {
  const titles = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => /\.(test|e2e)\.tsx?$/.test(name))
    .sort()
    .flatMap(faultsOf)
  const sections = [...new Set(titles.map((title) => title.code))].sort().map((one) => {
    const lines = titles
      .filter((title) => title.code === one)
      .map(({ words, file }) => `- ${words} ([${file}](${file}))`)
    return `## ${one}\n\n${lines.join('\n')}\n`
  })
  return `# Faults and attacks

What goes wrong (F) and what is tried against the console (A), by the titles of the tests about it.
Made by \`npx vitest run --config test/vitest.config.ts test/faults.test.ts --update\`.

${sections.join('\n')}`
}

test('the catalogue of faults says what the tests say', async () => {
  await expect(catalogue()).toMatchFileSnapshot('faults.md')
})
