import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A system and a processor, as Go names them. */
export type Target = { readonly system: string; readonly processor: string }

/** The systems and processors that a release is for. */
export const targets: readonly Target[] = ['linux', 'darwin', 'windows'].flatMap((system) =>
  ['amd64', 'arm64'].map((processor) => ({ system, processor })),
)

/** The name of the program on a system. */
export function programName({ system }: Target): string {
  return system === 'windows' ? 'webconsole.exe' : 'webconsole'
}

/** What this machine is, or what `GOOS` and `GOARCH` say. */
export function thisTarget(): Target {
  const { stdout } = spawnSync('go', ['env', 'GOOS', 'GOARCH'], { encoding: 'utf8' })
  const [system = '', processor = ''] = stdout.split('\n')
  return { system, processor }
}

/**
 * Builds the server with the console that is in `embed/`: static, without paths of this machine and
 * without anything that would differ from one build to the next.
 * @throws when Go fails
 */
export function serverBinary(root: string, { system, processor }: Target): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'webconsole-binary-'))
  const file = join(folder, 'webconsole')
  try {
    const flags = ['-trimpath', '-buildvcs=false', '-ldflags=-s -w -buildid=']
    const result = spawnSync('go', ['build', ...flags, '-o', file, '.'], {
      cwd: join(root, 'embed/server'),
      encoding: 'utf8',
      env: {
        ...process.env,
        CGO_ENABLED: '0',
        GOARCH: processor,
        GOFLAGS: '-mod=readonly',
        GOOS: system,
        GOWORK: 'off',
      },
    })
    if (result.status !== 0) {
      throw new Error(`go build for ${system}/${processor} failed:\n${result.stderr}`)
    }
    return readFileSync(file)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
