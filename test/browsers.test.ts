// @vitest-environment node
import { createRequire } from 'node:module'
import type { CompatData, CompatStatement, Identifier } from '@mdn/browser-compat-data'
import { type Node, SyntaxKind } from 'typescript/unstable/ast'
import { API, type Symbol as Found, type Project, SymbolFlags } from 'typescript/unstable/sync'
import { expect, test } from 'vitest'
import { browsers } from '../embed/pipeline/browsers'
import { compileStyles } from '../embed/pipeline/css'

const root = process.cwd()
const data: CompatData = createRequire(import.meta.url)('@mdn/browser-compat-data')

const oldest = {
  chrome: browsers.Chromium,
  firefox: browsers.Firefox,
  safari: browsers.Safari,
} as const

/** What an oldest browser lacks, or has in part, and why the console does all the same. */
const accepted: Readonly<Record<string, string>> = {
  'AbortSignal.timeout': 'Chromium names the error otherwise before 124, which nobody reads',
  requestIdleCallback: 'a timer stands in for it',
  'CanvasTextDrawingStyles.font': 'Safari does not give back the weight, which nobody reads',
  'InputEvent.isComposing': 'Safari forgets it at the last key, which app/composing.ts knows too',
  'KeyboardEvent.isComposing': 'as above',
  'accent-color': 'Safari has it with less contrast',
  'content-visibility': 'only saves time',
  'forced-color-adjust': 'Safari has no forced colours',
  'overscroll-behavior': 'Chromium leaves it out before 144 where nothing scrolls',
  'overscroll-behavior-x': 'as above',
  'scrollbar-color': 'looks',
  'scrollbar-width': 'looks',
  'text-size-adjust':
    'for phones that make text larger, which Firefox and Safari for desktops do not',
  'user-select': 'Safari takes -webkit-user-select, which stands beside it',
}

/** What the data does not have: parts of results. */
const unlisted: ReadonlySet<string> = new Set([
  'DOMStringMap.__index',
  'Intl.DateTimeFormatPart.value',
  'Intl.ResolvedDateTimeFormatOptions.timeZone',
  'IteratorReturnResult.done',
  'IteratorReturnResult.value',
  'IteratorYieldResult.done',
  'IteratorYieldResult.value',
  'RegExpExecArray.index',
])

/** Whose members TypeScript declares in a place of their own, or at another interface. */
const also: Readonly<Record<string, readonly string[]>> = {
  AsyncIterator: ['AsyncGenerator'],
  Body: ['Response', 'Request'],
  CSSStyleDeclarationBase: ['CSSStyleDeclaration'],
  CanvasCompositing: ['CanvasRenderingContext2D'],
  CanvasDrawPath: ['CanvasRenderingContext2D'],
  CanvasFillStrokeStyles: ['CanvasRenderingContext2D'],
  CanvasPath: ['Path2D', 'CanvasRenderingContext2D'],
  CanvasPathDrawingStyles: ['CanvasRenderingContext2D'],
  CanvasRect: ['CanvasRenderingContext2D'],
  CanvasText: ['CanvasRenderingContext2D'],
  CanvasTextDrawingStyles: ['CanvasRenderingContext2D'],
  CanvasTransform: ['CanvasRenderingContext2D'],
  ChildNode: ['Element'],
  Console: ['console'],
  DocumentOrShadowRoot: ['Document'],
  Element: ['Node'],
  ElementCSSInlineStyle: ['HTMLElement'],
  HTMLHyperlinkElementUtils: ['HTMLAnchorElement'],
  HTMLOrSVGElement: ['HTMLElement'],
  MessageEventTarget: ['MessagePort'],
  NavigatorID: ['Navigator'],
  NavigatorLanguage: ['Navigator'],
  NavigatorLocks: ['Navigator'],
  NavigatorOnLine: ['Navigator'],
  NavigatorStorage: ['Navigator'],
  NonDocumentTypeChildNode: ['Element'],
  ParentNode: ['Element'],
  ReadableStreamGenericReader: ['ReadableStreamDefaultReader'],
}

test('what the sources use of the language and of browsers is in the oldest of them', () => {
  const used = usedNames()
  expect(used.length).toBeGreaterThan(500)
  expect(used).toContain('AbortSignal.any')
  judge(used, ofScripts)
}, 120_000)

test('and so are the properties of the style sheet', async () => {
  const styles = await compileStyles(root, { minify: false })
  // Those with a prefix stand beside the plain ones, or change looks alone.
  const plain = /^\s+([a-z][a-z-]*): [^;{]*;/gm
  const rules = styles.replace(/@property [^}]*}/g, '')
  const all = [...rules.matchAll(plain)].map(([, name = '']) => name)
  const used = [...new Set(all)]
  expect(used.length).toBeGreaterThan(100)
  judge(used, (name) => data.css.properties?.[name])
})

/** Compares names with the data. What is accepted must still be late, and be used. */
function judge(names: readonly string[], find: (name: string) => Identifier | undefined) {
  const [unknown, late] = [new Set<string>(), new Set<string>()]
  for (const name of names) {
    const said = find(name)?.__compat
    if (!said) unknown.add(name)
    else if (isLate(said)) late.add(name)
  }
  const known = (list: Iterable<string>) => [...list].filter((name) => names.includes(name)).sort()
  expect([...unknown].sort()).toEqual(known(unlisted))
  expect([...late].sort()).toEqual(known(Object.keys(accepted)))
}

function isLate({ support }: CompatStatement): boolean {
  return Object.entries(oldest).some(([browser, version]) => {
    const all = [support[browser as keyof typeof oldest] ?? []].flat()
    return !all.some((one) => {
      const since = one.version_added
      if (typeof since !== 'string' || since === 'preview' || one.version_removed) return false
      if (one.flags || one.prefix || one.alternative_name || one.partial_implementation)
        return false
      return isUpTo(since.replace('≤', ''), version)
    })
  })
}

function isUpTo(one: string, other: string): boolean {
  const [[major = 0, minor = 0], [most = 0, least = 0]] = [one, other].map((text) =>
    text.split('.').map(Number),
  ) as [number[], number[]]
  return major < most || (major === most && minor <= least)
}

/** The entry of a name such as `Intl.DateTimeFormat.format`, `AbortSignal.any` or `atob`. */
function ofScripts(name: string): Identifier | undefined {
  const plain = name.replace(/Constructor\b/, '').replace(/\bReadonly(?=Array|Map|Set)/, '')
  const path = plain.split('.')
  const member = path.pop() ?? ''
  const [owner = ''] = path
  if (plain === 'ImportMeta.url') return data.javascript.operators?.import_meta
  if (owner === 'CSSStyleProperties') {
    return data.css.properties?.[member.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)]
  }
  const { builtins } = data.javascript
  const names = [member, `${member}_static`, member.replace(/^on(.*)/, '$1_event')]
  const others = (also[owner] ?? []).map((one) => [one])
  const places = [
    ...[path, ...others].flatMap((of) => [[data.api, of] as const, [builtins, of] as const]),
    ...(owner === ''
      ? [[data.api, ['Window']] as const, [data.api, ['WorkerGlobalScope']] as const]
      : []),
    ...(/^(add|remove)EventListener$/.test(member) ? [[data.api, ['EventTarget']] as const] : []),
    ...(/Array$/.test(owner) ? [[builtins, ['TypedArray']] as const] : []),
  ]
  for (const [base, of] of places) {
    const found = of.reduce<Identifier | undefined>((at, step) => at?.[step], base)
    const entry = names.map((one) => found?.[one]).find((one) => one?.__compat)
    if (entry) return entry
  }
  return undefined
}

/** Every name of TypeScript's libraries that the sources use for a value, once. */
function usedNames(): string[] {
  const api = new API({ cwd: root })
  try {
    const project = api.updateSnapshot({ openProjects: [`${root}/tsconfig.json`] }).getProjects()[0]
    if (!project) throw new Error('the project could not be opened')
    const { program, checker } = project
    const [names, seen] = [new Set<string>(), new Set<number>()]
    for (const file of program.getSourceFileNames()) {
      const source = file.startsWith(`${root}/src/`) ? program.getSourceFile(file) : undefined
      if (!source) continue
      for (const one of checker.getSymbolAtLocation(identifiersIn(source))) {
        if (!one || seen.has(one.id) || !(one.flags & SymbolFlags.Value)) continue
        seen.add(one.id)
        for (const name of declaredAs(one, project)) names.add(name)
      }
    }
    return [...names].sort()
  } finally {
    api.close()
  }
}

function identifiersIn(node: Node): Node[] {
  const found: Node[] = node.kind === SyntaxKind.Identifier ? [node] : []
  node.forEachChild((child) => {
    for (const one of identifiersIn(child)) found.push(one)
    return undefined
  })
  return found
}

const owners: ReadonlySet<SyntaxKind> = new Set([
  SyntaxKind.ClassDeclaration,
  SyntaxKind.InterfaceDeclaration,
  SyntaxKind.ModuleDeclaration,
  SyntaxKind.VariableDeclaration,
])

/** Where TypeScript's libraries declare it; nothing for what is of the console or of a package. */
function declaredAs(one: Found, project: Project): string[] {
  return one.declarations.flatMap((declaration) => {
    if (!/\/lib\.[^/]*\.d\.ts$/.test(declaration.path)) return []
    const path = [one.name]
    for (let at = declaration.resolve(project)?.parent; at; at = at.parent) {
      if (owners.has(at.kind)) path.unshift((at as Node & { name: { text: string } }).name.text)
    }
    return [path.join('.')]
  })
}
