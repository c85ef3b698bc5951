// What the tests run beside Node and Go, by name: looks for it, installs it or builds it.
import type { EngineName } from '../support/engine'
import { ensureEngine } from '../support/engines'
import { ensureGateways } from '../support/gateway-programs'
import { ensureVersions } from '../support/immudb-versions'
import { ensureLanguages } from '../support/languages'

const ways: Readonly<Record<string, () => unknown>> = {
  gateways: ensureGateways,
  languages: ensureLanguages,
  versions: ensureVersions,
}

const engines: readonly string[] = ['chromium', 'firefox', 'webkit'] satisfies EngineName[]

for (const name of process.argv.slice(2)) {
  const way = ways[name]
  if (way) await way()
  else if (isEngine(name)) ensureEngine(name)
  else throw new Error(`nobody knows how to install “${name}”`)
}

function isEngine(name: string): name is EngineName {
  return engines.includes(name)
}
