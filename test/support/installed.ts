import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Whether Debian's own packages can be installed here. */
export const isDebian = existsSync('/etc/debian_version') && process.getuid?.() === 0

export function installFromDebian(...names: readonly string[]): boolean {
  console.log(`Installing Debian’s ${names.join(', ')}.`)
  run('apt-get', ['update', '-qq'])
  return run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names])
}

/** The paths that programs of these names would have in the folders of the PATH. */
export function onPath(programs: readonly string[]): readonly string[] {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return programs.flatMap((program) => folders.map((folder) => join(folder, program)))
}

/** Runs a program and shows what it prints; whether it ended well. */
export function run(command: string, args: readonly string[]): boolean {
  const { status } = spawnSync(command, args, {
    stdio: 'inherit',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  return status === 0
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
