import { homedir } from 'node:os'
import { allowedUrls } from './allowed-urls.ts'
import { licencesPath } from './licences.ts'
import { type OutputFile, sha256 } from './output.ts'

/** A host must follow, so `http://${host}` built at run time is not meant. */
const absolute = /\b(?:https?|wss?):\/\/[a-z0-9*[][^\s"'`<>)\\]*/gi
const protocolRelative = /["'`(]\/\/[a-z0-9-]+(?:\.[a-z0-9-]+)+[^\s"'`<>)\\]*/gi
const loopback = /^(?:https?|wss?):\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?![\w.-])/i

/** Problems that make the output unfit to ship, one sentence each. */
export function findProblems(
  root: string,
  files: readonly OutputFile[],
  alsoAllowed: readonly string[] = [],
): string[] {
  return files.flatMap((file) => [
    ...nameProblems(file.path),
    ...textProblems(root, file, alsoAllowed),
  ])
}

/** Go embeds no file below a folder whose name begins with `_` or `.`. */
function nameProblems(path: string): string[] {
  const problems = []
  if (path.split('/').some((part) => /^[._]/.test(part))) problems.push(`${path}: forbidden name`)
  if (path.endsWith('.map')) problems.push(`${path}: source map`)
  return problems
}

function textProblems(root: string, file: OutputFile, allowed: readonly string[]): string[] {
  if (file.path.endsWith('.png') || file.path === licencesPath) return []
  const text = new TextDecoder().decode(file.bytes)
  const places = [root, homedir()].filter((place) => place.split(/[\\/]/).length > 2)
  return [
    ...places.filter((place) => text.includes(`${place}/`)).map((place) => `contains ${place}`),
    ...(text.includes('sourceMappingURL=') ? ['refers to a source map'] : []),
    ...foreignUrls(text, allowed).map(
      (url) => `names ${url}, which embed/pipeline/allowed-urls.ts does not`,
    ),
    ...(file.path.endsWith('.html') ? inlineCode(text) : []),
  ].map((problem) => `${file.path}: ${problem}`)
}

function foreignUrls(text: string, allowed: readonly string[]): string[] {
  const found = [
    ...[...text.matchAll(absolute)].map(([url]) => url),
    ...[...text.matchAll(protocolRelative)].map(([url]) => url.slice(1)),
  ]
  const foreign = found.filter(
    (url) =>
      !loopback.test(url) &&
      !allowedUrls.some(({ start }) => url.startsWith(start)) &&
      !allowed.some((start) => url.startsWith(start)),
  )
  return [...new Set(foreign)].sort()
}

/** The page's policy would block it, unless it names its hash. */
function inlineCode(html: string): string[] {
  const policy = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html)?.[1] ?? ''
  const isNamed = (text: string) => policy.includes(`'sha256-${sha256(text, 'base64')}'`)
  const problems: string[] = []
  const rest = html.replace(
    /<(script|style)((?![^>]*\bsrc=)[^>]*)>([\s\S]*?)<\/\1>/gi,
    (_, name: string, _attributes: string, text: string) => {
      if (!isNamed(text)) problems.push(`inline ${name}`)
      return ''
    },
  )
  if (/<script(?![^>]*\bsrc=)/i.test(rest)) problems.push('inline script')
  if (/<style|\sstyle=/i.test(rest)) problems.push('inline style')
  if (/\son\w+=/i.test(rest)) problems.push('inline event handler')
  return problems
}
