import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Identity } from './identity.ts'
import type { Package } from './packages.ts'

type Lock = { readonly packages: Readonly<Record<string, { integrity?: string }>> }

const product = 'immudb-webconsole'

/**
 * The bill of materials, CycloneDX 1.5: what has code in the output, no more and no less.
 * `npm sbom --omit dev` would leave out React, because packages for tests ask for it too, and
 * would stamp a time and a serial number on it.
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
