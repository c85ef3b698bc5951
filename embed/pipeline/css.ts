import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { compile, optimize } from '@tailwindcss/node'
import { Scanner } from '@tailwindcss/oxide'

const entry = 'src/styles/app.css'

/**
 * Compiles the style sheet for the class names found in the files that `tailwind.config.ts` names.
 * Class names are sorted, so the order of files does not matter.
 */
export async function compileStyles(root: string, options: { minify: boolean }): Promise<string> {
  const path = join(root, entry)
  const source = await readFile(path, 'utf8')
  const compiler = await compile(source, { base: dirname(path), onDependency() {} })
  const candidates = new Scanner({ sources: compiler.sources }).scan().sort()
  return optimize(compiler.build(candidates), { file: 'app.css', minify: options.minify }).code
}
