// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Ways to turn text into markup or code, or to hand the window to another page. */
const sinks: Readonly<Record<string, RegExp>> = {
  dangerouslySetInnerHTML: /dangerouslySetInnerHTML/,
  innerHTML: /\b(?:inner|outer)HTML\b/,
  insertAdjacentHTML: /insertAdjacentHTML/,
  'document.write': /document\s*\.\s*write/,
  eval: /(?<![\w.$])eval\s*\(/,
  'new Function': /\bnew\s+Function\b|(?<![\w.$])Function\s*\(\s*['"`]/,
  'timer with text': /\bset(?:Timeout|Interval)\s*\(\s*['"`]/,
  'javascript: address': /['"`]\s*javascript:/i,
  srcdoc: /srcDoc\b/i,
  'parsed markup': /\bDOMParser\b|createContextualFragment|setHTMLUnsafe|parseHTMLUnsafe/,
  'style element': /<style\b|createElement\(\s*['"`]style['"`]/,
  'target without noopener':
    /<\w+(?=[^>]*target=(?:["'{`\s])*_blank)(?![^>]*\brel=["'{`\s]*[^"'>]*noopener)[^>]*>/,
  'window.open': /\bwindow\s*\.\s*open\s*\((?![^)]*noopener)/,
}

function findSinks(source: string): string[] {
  // What a comment says does nothing.
  const code = source.replace(/\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/.*$/gm, '')
  return Object.keys(sinks).filter((name) => sinks[name]?.test(code))
}

function sourceFiles(): string[] {
  const inFolder = (folder: string): string[] =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
  return [...inFolder('src'), ...inFolder('static')].filter((path) =>
    /\.(tsx?|js|html)$/.test(path),
  )
}

test('A24 no source of the console turns text into markup or code', () => {
  const files = sourceFiles()
  expect(files).toContain('src/main.tsx')
  const found = files.flatMap((path) =>
    findSinks(readFileSync(path, 'utf8')).map((sink) => `${path}: ${sink}`),
  )
  expect(found).toEqual([])
})

test.each([
  ['dangerouslySetInnerHTML', '<p dangerouslySetInnerHTML={{ __html: name }} />'],
  ['innerHTML', 'cell.innerHTML = value'],
  ['insertAdjacentHTML', "row.insertAdjacentHTML('beforeend', value)"],
  ['document.write', 'document.write(value)'],
  ['eval', 'const x = eval(value)'],
  ['new Function', 'new Function(value)()'],
  ['timer with text', "setTimeout('run()', 10)"],
  ['javascript: address', '<a href="javascript:run()">x</a>'],
  ['srcdoc', '<iframe srcDoc={value} />'],
  ['parsed markup', 'new DOMParser()'],
  ['style element', "document.createElement('style')"],
  ['target without noopener', '<a\n  href={url}\n  target="_blank"\n>'],
  ['window.open', 'window.open(url)'],
])('A24 the rule notices %s', (name, source) => {
  expect(findSinks(source)).toEqual([name])
})

test.each([
  '<a href={url} target="_blank" rel="noopener noreferrer">',
  '// never innerHTML',
  '/* eval( */ retrieval(value)',
  "const address = 'https://host/path' // innerHTML",
  'setTimeout(run, 10)',
])('A24 the rule lets %s pass', (source) => {
  expect(findSinks(source)).toEqual([])
})
