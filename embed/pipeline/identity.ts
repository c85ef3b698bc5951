import { execFileSync } from 'node:child_process'
import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'

/** What is stamped into the bundle and the manifest. */
export type Identity = { readonly version: string; readonly commit: string }

/** Version of package.json and the commit of the checkout; `dev` outside one or before the first. */
export function readIdentity(root: string): Identity {
  const { version }: { version: string } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  )
  return { version, commit: readCommit(root) }
}

function readCommit(root: string): string {
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', root, ...args], { stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim()
  try {
    // Inside another project's checkout, that project's commit would say nothing about this source.
    if (realpathSync(git('rev-parse', '--show-toplevel')) !== realpathSync(root)) return 'dev'
    return git('rev-parse', '--short=12', 'HEAD')
  } catch {
    return 'dev'
  }
}
