// @vitest-environment node
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { browsersInWords, target } from '../../embed/pipeline/browsers'

test('README names the oldest browsers that the build is made for', () => {
  expect(readFileSync('README.md', 'utf8')).toContain(`It needs ${browsersInWords}, or newer ones`)
})

test('the guide names them, too', () => {
  const chapter = readFileSync('src/screens/guide/chapters/compatibility.ts', 'utf8')
  expect(chapter).toContain(`It needs ${browsersInWords}, or newer ones`)
})

test('the build is made for the browsers of the list', () => {
  const numbers = browsersInWords.match(/[\d.]+/g)
  expect(target).toHaveLength(3)
  expect(target.map((one) => one.replace(/^[a-z]+/, ''))).toEqual(numbers)
})

test('the page of a browser that is too old names them', () => {
  const shell = readFileSync('static/shell.html', 'utf8')
  expect(shell).toMatch(/class="too-old"[^>]*>[^<]*\{\{browsers\}\}/)
})

test('our sources use nothing of the language that is newer than those browsers', () => {
  // All of ES2023 is in Chromium 110, Firefox 115 and Safari 16.4.
  const { lib } = JSON.parse(readFileSync('tsconfig.json', 'utf8')).compilerOptions
  expect(lib).toEqual(['ES2023', 'DOM', 'DOM.Iterable'])
})
