import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GoModule, GoParts } from './go-modules.ts'
import type { Identity } from './identity.ts'
import { sha256 } from './output.ts'
import type { Package } from './packages.ts'

type Lock = { readonly packages: Readonly<Record<string, { integrity?: string }>> }

const product = 'immudb-webconsole'

/**
 * The bill of materials, CycloneDX 1.5: the packages with code in the output. `npm sbom --omit dev`
 * would leave out React, because test packages need it too, and would add a time and a serial
 * number.
 */
export function billOfMaterials(
  root: string,
  { version }: Identity,
  packages: readonly Package[],
): string {
  const lock: Lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const itself = {
    type: 'application',
    'bom-ref': `${product}@${version}`,
    name: product,
    version,
    licenses: [{ license: { id: 'Apache-2.0' } }],
    purl: `pkg:npm/${product}@${version}`,
  }
  const bill = {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: itself },
    components: packages.map((item) => component(item, lock)),
    dependencies: [
      { ref: itself['bom-ref'], dependsOn: packages.map(reference) },
      ...packages.map((item) => ({
        ref: reference(item),
        dependsOn: packages.filter(({ name }) => item.needs.includes(name)).map(reference),
      })),
    ],
  }
  return `${JSON.stringify(bill, null, 2)}\n`
}

/** A program that was built: its name as it is given to people, and its bytes. */
export type Binary = { readonly name: string; readonly bytes: Uint8Array }

/**
 * A bill of the console with the server binaries added: the programs, which hold the console, and
 * what of Go is compiled into them. The serial number follows from the content, so that equal bills
 * have the same.
 */
export function withBinaries(
  bill: string,
  binaries: readonly Binary[],
  { modules, standard }: GoParts,
): string {
  const inner = JSON.parse(bill)
  const { version, licenses, 'bom-ref': inside } = inner.metadata.component
  const programs = binaries.map(({ name, bytes }) => ({
    type: 'application',
    'bom-ref': `${name}@${version}`,
    name,
    version,
    description:
      'Server binary; immudb, one of its modules, is under the Business Source License 1.1',
    hashes: [{ alg: 'SHA-256', content: sha256(bytes) }],
    licenses,
  }))
  const library = {
    type: 'library',
    'bom-ref': `pkg:golang/std@${standard.version}`,
    name: 'std',
    version: standard.version,
    description: 'Go standard library',
    licenses: licensesOf(standard.licence),
    purl: `pkg:golang/std@${standard.version}`,
  }
  const components = [...inner.components, ...programs, library, ...modules.map(moduleComponent)]
  const dependsOn = [inside, library['bom-ref'], ...modules.map(moduleUrl)]
  const dependencies = [
    ...inner.dependencies,
    ...programs.map((program) => ({ ref: program['bom-ref'], dependsOn })),
  ]
  const { $schema, bomFormat, specVersion, ...rest } = inner
  const content = { ...rest, components, dependencies }
  const serialNumber = `urn:uuid:${uuidOf(JSON.stringify(content))}`
  return `${JSON.stringify({ $schema, bomFormat, specVersion, serialNumber, ...content }, null, 2)}\n`
}

/** A UUID of version 8, which is for numbers that follow from something. */
function uuidOf(text: string): string {
  const [, ...parts] = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(sha256(text)) ?? []
  const [first, second, third, fourth, fifth] = parts
  return `${first}-${second}-8${third}-8${fourth}-${fifth}`
}

/** The hash of go.sum is over a list of hashes, so it is a property and no hash of a file. */
function moduleComponent(module: GoModule): object {
  const { path: name, version, sum, licence } = module
  const purl = moduleUrl(module)
  const properties = [{ name: 'go:sum', value: sum }]
  const licenses = licensesOf(licence)
  return { type: 'library', 'bom-ref': purl, name, version, licenses, purl, properties }
}

function licensesOf(licence: string): object[] {
  return [licence.includes(' ') ? { expression: licence } : { license: { id: licence } }]
}

function moduleUrl({ path, version }: GoModule): string {
  return `pkg:golang/${path.toLowerCase()}@${version.replaceAll('+', '%2B')}`
}

function reference({ name, version }: Package): string {
  return `${name}@${version}`
}

function component(item: Package, lock: Lock): object {
  const { name, version, licence } = item
  return {
    type: 'library',
    'bom-ref': reference(item),
    name,
    version,
    hashes: hashes(lock.packages[item.folder]?.integrity),
    licenses: licensesOf(licence),
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
  }
}

/** The hash of the package as published: `sha512-<base64>` in the lock file, hex here. */
function hashes(integrity: string | undefined): object[] {
  const [, content] = /^sha512-(.+)$/.exec(integrity ?? '') ?? []
  if (!content) return []
  return [{ alg: 'SHA-512', content: Buffer.from(content, 'base64').toString('hex') }]
}
