import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type OutputFile, textFile } from './output.ts'
import type { Package } from './packages.ts'

export const licencesPath = 'assets/licences.txt'

const heading = `immudb webconsole: third-party licences

The console itself is under the Apache License 2.0.

The server binary "webconsole" contains immudb 1.11.1, which is under the
Business Source License 1.1 (copyright Codenotary Inc.). It is not part of the
files of the console.

The files of the console contain code of the packages below.
`

/** One text with the licences of all packages; those with the same text stand together. */
export function licenceFile(root: string, packages: readonly Package[]): OutputFile {
  const texts = new Map<string, string[]>()
  for (const item of packages) {
    const text = licenceText(root, item)
    const line = `${item.name} ${item.version} (${item.licence})`
    texts.set(text, [...(texts.get(text) ?? []), line])
  }
  const sections = [...texts].map(([text, names]) => `${names.join('\n')}\n\n${text}\n`)
  return textFile(licencesPath, [heading, ...sections].join(`\n${'-'.repeat(78)}\n\n`))
}

/** The package's own licence text, and its notice, which the Apache licence asks to pass on. */
function licenceText(root: string, { folder, licence, author }: Package): string {
  const path = join(root, folder)
  const file = readdirSync(path)
    .sort()
    .find((entry) => /^(?:licen[cs]e|copying)/i.test(entry))
  const read = (name: string): string =>
    readFileSync(join(path, name), 'utf8').replaceAll('\r\n', '\n').trim()
  const text = file
    ? read(file)
    : `By ${author ?? 'its authors'}, under ${licence}. The package has no licence file.`
  return existsSync(join(path, 'NOTICE')) ? `${text}\n\n${read('NOTICE')}` : text
}
