import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GoModule } from './go-modules.ts'
import type { Identity } from './identity.ts'
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

/**
 * A bill of the console with the server binary added: the program, which holds the console, and the
 * Go modules compiled into it.
 */
export function withBinary(bill: string, modules: readonly GoModule[]): string {
  const inner = JSON.parse(bill)
  const { version, licenses, 'bom-ref': inside } = inner.metadata.component
  const binary = {
    type: 'application',
    'bom-ref': `webconsole@${version}`,
    name: 'webconsole',
    version,
    description:
      'Server binary; immudb, one of its modules, is under the Business Source License 1.1',
    licenses,
  }
  const components = [...inner.components, binary, ...modules.map(moduleComponent)]
  const dependencies = [
    ...inner.dependencies,
    { ref: binary['bom-ref'], dependsOn: [inside, ...modules.map(moduleUrl)] },
  ]
  return `${JSON.stringify({ ...inner, components, dependencies }, null, 2)}\n`
}

/** The hash of go.sum is over a list of hashes, so it is a property and no hash of a file. */
function moduleComponent(module: GoModule): object {
  const { path: name, version, sum } = module
  const purl = moduleUrl(module)
  const properties = [{ name: 'go:sum', value: sum }]
  return { type: 'library', 'bom-ref': purl, name, version, purl, properties }
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
    licenses: [licence.includes(' ') ? { expression: licence } : { license: { id: licence } }],
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
  }
}

/** The hash of the package as published: `sha512-<base64>` in the lock file, hex here. */
function hashes(integrity: string | undefined): object[] {
  const [, content] = /^sha512-(.+)$/.exec(integrity ?? '') ?? []
  if (!content) return []
  return [{ alg: 'SHA-512', content: Buffer.from(content, 'base64').toString('hex') }]
}
