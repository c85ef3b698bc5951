import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { stamps } from './support/stamps.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Tests of logic that say they need no document and put nothing in the place of a module: they may
 * share a worker and all that it has loaded.
 */
const pure = readdirSync(`${root}test`, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.test\.tsx?$/.test(name))
  .map((name) => `test/${name.replaceAll('\\', '/')}`)
  .filter((name) => {
    const text = readFileSync(`${root}${name}`, 'utf8')
    return (
      text.startsWith('// @vitest-environment node') && !/doMock|vi\.mock|resetModules/.test(text)
    )
  })

/**
 * Takes each icon from its own module. The library as a whole makes all of its 1,600 icons, which
 * takes a tenth of a second in each file with a page.
 */
const icons = {
  name: 'icons',
  transform(code: string, id: string) {
    if (!id.includes('/src/ui/')) return
    return code.replace(/import \{([^}]+)\} from 'lucide-react'/, (_, names: string) =>
      names
        .split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '' && !name.startsWith('type '))
        .map((name) => `import ${name} from 'lucide-react/icons/${fileOf(name)}'`)
        .join(';'),
    )
  },
  enforce: 'pre' as const,
}

/** `Trash2` is in `trash-2`. */
function fileOf(icon: string): string {
  return icon.replace(/(?<=[a-z])(?=[A-Z\d])/g, '-').toLowerCase()
}

export default defineConfig({
  root,
  plugins: [icons],
  resolve: { alias: { '~': `${root}src` } },
  define: stamps,
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'logic', include: pure, environment: 'node', isolate: false },
      },
      {
        extends: true,
        test: {
          name: 'page',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: pure,
          environment: `${root}test/support/page-environment.ts`,
          environmentOptions: { happyDOM: { url: 'http://localhost:3000/' } },
          pool: 'vmForks',
        },
      },
    ],
    // One more than the processors: a test that waits leaves its own to another, which takes a
    // sixth off the whole.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // What files leave behind slows those after them, long before memory is short.
    vmMemoryLimit: '600MB',
    setupFiles: ['test/setup.ts'],
    // Beside a compiler a test may be slow without being wrong.
    testTimeout: 60_000,
    expect: { poll: { timeout: 15_000 } },
    restoreMocks: true,
    unstubGlobals: true,
  },
})
