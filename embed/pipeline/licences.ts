import { join } from 'node:path'
import type { GoParts } from './go-modules.ts'
import { licenceText } from './licence-texts.ts'
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
  const parts = packages.map((item) => ({
    line: `${item.name} ${item.version} (${item.licence})`,
    text:
      licenceText(join(root, item.folder)) ??
      `By ${item.author ?? 'its authors'}, under ${item.licence}. The package has no licence file.`,
  }))
  return textFile(licencesPath, grouped(heading, parts))
}

/** The same for the server binary, where the licences of the console follow. */
export function binaryLicences({ modules, standard }: GoParts, ofConsole: string): string {
  const head = `webconsole: third-party licences

The program itself is under the Apache License 2.0. It contains the code of the
Go modules below, among them immudb under the Business Source License 1.1
(copyright Codenotary Inc.), and the console, whose licences follow.
`
  const parts = [
    { line: `Go standard library ${standard.version} (${standard.licence})`, text: standard.text },
    ...modules.map(({ path, version, licence, text }) => ({
      line: `${path} ${version} (${licence})`,
      text,
    })),
  ]
  return `${grouped(head, parts)}\n${'='.repeat(78)}\n\n${ofConsole}`
}

function grouped(head: string, parts: readonly { line: string; text: string }[]): string {
  const texts = new Map<string, string[]>()
  for (const { line, text } of parts) texts.set(text, [...(texts.get(text) ?? []), line])
  const sections = [...texts].map(([text, lines]) => `${lines.join('\n')}\n\n${text}\n`)
  return [head, ...sections].join(`\n${'-'.repeat(78)}\n\n`)
}
