import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, formatMessages, type Metafile } from 'esbuild'
import { browsersInWords } from './browsers.ts'
import { noOptions } from './build-options.ts'
import { commonOptions, production } from './bundle.ts'
import { radixSelectStyle } from './csp.ts'
import type { Identity } from './identity.ts'
import { type OutputFile, sha256, textFile } from './output.ts'

/** The page that checks a file of evidence from a disk: one file without any request. */
export type VerifyPage = {
  readonly file: OutputFile
  /** Its own policy: that of the console would block what is inside of it. */
  readonly csp: string
  readonly metafile: Metafile
}

/** Its name, beside the pages of the console. */
export const verifyPagePath = 'verify.html'
const entry = 'src/verify-page.tsx'

/** Bundles the page with its script, its styles and its icon inside. @throws on a warning */
export async function buildVerifyPage(
  root: string,
  identity: Identity,
  css: string,
): Promise<VerifyPage> {
  const common = commonOptions(root, identity, noOptions, {})
  const result = await build({
    ...common,
    entryPoints: [entry],
    splitting: false,
    format: 'iife',
    minify: true,
    conditions: ['production'],
    define: { ...common.define, ...production, 'import.meta.url': 'document.baseURI' },
  })
  if (result.warnings.length > 0) {
    const warnings = await formatMessages(result.warnings, { kind: 'warning', color: false })
    throw new Error(`esbuild warns:\n${warnings.join('')}`)
  }
  const [script, ...others] = result.outputFiles
  if (!script || others.length > 0) throw new Error(`${verifyPagePath} has to be one script`)
  const icon = readFileSync(join(root, 'static/icon.svg'))
  const page = pageOf(
    script.text.trimEnd(),
    css,
    `data:image/svg+xml;base64,${icon.toString('base64')}`,
  )
  return { file: textFile(verifyPagePath, page.html), csp: page.csp, metafile: result.metafile }
}

/**
 * The page around a script and a style sheet, and its policy, which allows these two alone.
 * @throws when one of them would end its element early
 */
export function pageOf(script: string, css: string, icon: string): { html: string; csp: string } {
  if (/<\/script|<!--/i.test(script)) throw new Error(`the script of ${verifyPagePath} ends early`)
  if (/<\/style|<!--/i.test(css)) throw new Error(`the style sheet of ${verifyPagePath} ends early`)
  const csp = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(css)}' '${radixSelectStyle}'`,
    "style-src-attr 'none'",
    'img-src data:',
    "connect-src 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ')
  const html = `<!doctype html>
<html lang="en-GB" class="alone" data-theme="dark">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${csp}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<meta name="referrer" content="no-referrer">
<meta name="description" content="Checks a file of evidence of immudb on this computer, without a server.">
<title>Evidence · webconsole</title>
<link rel="icon" type="image/svg+xml" href="${icon}">
<style>${css}</style>
</head>
<body>
<div id="root">
<main class="slow-start">
<h1>Check an evidence file</h1>
<p>The page is starting. If this message stays, this browser is too old for it. It needs ${browsersInWords}, or a newer one.</p>
</main>
</div>
<noscript>This page calculates in this browser and needs JavaScript. Please allow it for this file.</noscript>
<script>${script}</script>
</body>
</html>
`
  return { html, csp }
}

const hashOf = (text: string): string => `sha256-${sha256(text, 'base64')}`
