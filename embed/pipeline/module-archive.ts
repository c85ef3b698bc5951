import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Build } from '../../build.ts'
import type { OutputFile } from './output.ts'
import { tarGz } from './tar.ts'

export const moduleName = 'immudb-webconsole-go.tar.gz'

/** The one folder in the archive. */
const folder = 'immudb-webconsole-embed'

/** What of the repository the Go module needs, and the programs that show its use. */
export async function readModule(root: string): Promise<OutputFile[]> {
  const embed = join(root, 'embed')
  const isNeeded = (name: string) =>
    name === 'go.mod' ||
    name === 'example_test.go' ||
    (name.endsWith('.go') && !name.endsWith('_test.go'))
  const pages = (await readdir(join(embed, 'notbuilt'))).map((name) => `notbuilt/${name}`)
  const names = [...(await readdir(embed)).filter(isNeeded), ...pages].sort()
  const read = async (path: string, from: string): Promise<OutputFile> => ({
    path,
    bytes: await readFile(from),
    immutable: false,
  })
  return Promise.all([
    ...names.map((name) => read(name, join(embed, name))),
    read('LICENSE', join(root, 'LICENSE')),
  ])
}

/** The Go module with the console inside, for programs of others: it needs no Node and no network. */
export function moduleArchive(result: Build, sources: readonly OutputFile[]): Uint8Array {
  const below = (name: string, files: readonly OutputFile[]) =>
    files.map((file) => ({ path: `${folder}/${name}${file.path}`, bytes: file.bytes }))
  return tarGz([
    ...below('', sources),
    ...below('dist/', result.files),
    ...below('encoded/', result.encoded),
  ])
}
