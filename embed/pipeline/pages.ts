import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { browsersInWords } from './browsers.ts'
import type { BuildOptions } from './build-options.ts'
import { metaPolicy } from './csp.ts'
import { hashedAsset, type OutputFile, textFile } from './output.ts'

/** Everything that the shell refers to; paths as in the output folder. */
export type Shell = {
  readonly styles: string
  readonly start: string
  readonly preload: readonly string[]
  /** Scripts that a page fetches at login, by the file of the page. */
  readonly behindLogin: ReadonlyMap<string, readonly string[]>
  /** Files of `static/` that the shell names, by their name there. */
  readonly statics: ReadonlyMap<string, OutputFile>
  /** What the policy of the page must allow. */
  readonly options: BuildOptions
}

/** A page as the manifest lists it. */
export type Route = { readonly path: string; readonly page: string }

const placeholder = /\{\{([\w.-]+)\}\}/g

/** The page file of a route: a folder of its own, so a plain file server finds it. */
export function routeOf(path: string): Route {
  return { path, page: path === '/' ? 'index.html' : `${path.slice(1)}/index.html` }
}

/** Reads `static/shell.html`. */
export function readShell(root: string): string {
  return readFileSync(join(root, 'static/shell.html'), 'utf8')
}

/** The files of `static/` that nothing names at build time: they keep their names, at the root. */
export function readPlainStatics(root: string, template: string): OutputFile[] {
  const folder = join(root, 'static')
  return readdirSync(folder)
    .filter((name) => name !== 'shell.html' && !template.includes(`{{${name}}}`))
    .sort()
    .map((path) => ({ path, bytes: readFileSync(join(folder, path)), immutable: false }))
}

/** The files of `static/` that the shell refers to, such as `theme.js`, under hashed names. */
export function readStatics(root: string, template: string): Map<string, OutputFile> {
  const names = [...template.matchAll(placeholder)]
    .map(([, name = '']) => name)
    .filter((name) => name.includes('.'))
  return new Map(
    names.map((name) => [name, hashedAsset(name, readFileSync(join(root, 'static', name)))]),
  )
}

/**
 * Fills the shell in. Addresses are relative, because the console is mounted anywhere; `prefix` is
 * the way from the page to the mount point, `./` or `../`.
 */
export function fillShell(template: string, shell: Shell, prefix: string, page = ''): string {
  const preload = shell.preload.map((path) => `<link rel="modulepreload" href="${prefix}${path}">`)
  const behindLogin = shell.behindLogin.get(page) ?? []
  const values = new Map([
    ['policy', metaPolicy(shell.options)],
    ['browsers', browsersInWords],
    ['styles', prefix + shell.styles],
    ['start', prefix + shell.start],
    ['preload', preload.join('\n')],
    ['behind-login', behindLogin.map((path) => basename(path)).join(' ')],
  ])
  for (const [name, file] of shell.statics) values.set(name, prefix + file.path)
  return template.replace(placeholder, (_, name: string) => {
    const value = values.get(name)
    if (value === undefined) throw new Error(`static/shell.html: what is {{${name}}}?`)
    return value
  })
}

/**
 * One copy of the shell per route, and one in `assets/`, where a plain file server would otherwise
 * list the folder.
 */
export function renderPages(template: string, shell: Shell, routes: readonly Route[]) {
  const pages = [...routes.map((route) => route.page), 'assets/index.html']
  return pages.map((page) =>
    textFile(
      page,
      fillShell(template, shell, '../'.repeat(page.split('/').length - 1) || './', page),
    ),
  )
}
