import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import type { withValues } from '../../src/proof/kernel/values'
import type { verify } from '../../src/proof/kernel/verify'
import { startServer } from '../support/immudb'
import { base64, signingKey, Verifier } from '../support/live-proofs'
import { type Figure, figure } from './figures'

const checks = 500
const rows = 1_000

export type ProofFigures = {
  readonly unsigned: Figure
  readonly signed: Figure
  /** 1,000 rows of one transaction, proven by one answer and shown by another. */
  readonly rows: Figure
}

type Engine = { verify: typeof verify; withValues: typeof withValues }

/** Times the engine as it is built, since what runs the tests makes it slower. */
async function engine(folder: string): Promise<Engine> {
  const file = join(folder, 'engine.mjs')
  const contents =
    "export { verify } from './src/proof/kernel/verify'; export { withValues } from './src/proof/kernel/values'"
  await build({
    stdin: { contents, resolveDir: process.cwd() },
    outfile: file,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
  })
  return import(pathToFileURL(file).href)
}

export async function proofFigures(): Promise<ProofFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-proofs-'))
  const key = await signingKey(folder)
  const server = await startServer({ flags: ['--signing-key', key.file] })
  try {
    const built = await engine(folder)
    const live = await Verifier.of(server.url, 'defaultdb', key.publicKey)
    for (let n = 0; n < 50; n += 1) {
      await live.api.call('/db/set', { KVs: [{ key: base64(`key ${n}`), value: base64('value') }] })
    }
    await live.api.exec('CREATE TABLE bench (id INTEGER, name VARCHAR[32], PRIMARY KEY id);')
    const values = Array.from({ length: rows }, (_, n) => `(${n}, 'name ${n}')`).join(', ')
    await live.api.exec(`INSERT INTO bench (id, name) VALUES ${values};`)
    await live.poll()
    return {
      unsigned: await getFigure(built, live, null),
      signed: await getFigure(built, live, key.publicKey),
      rows: await rowsFigure(built, live),
    }
  } finally {
    await server.dispose()
    await rm(folder, { recursive: true, force: true })
  }
}

async function getFigure(built: Engine, live: Verifier, publicKey: string | null): Promise<Figure> {
  const request = { keyRequest: { key: base64('key 7') }, proveSinceTx: live.since }
  const answer = await live.api.call('/db/verifiable/get', request)
  const context = { ...live.context(), publicKey }
  return timed(publicKey ? checks / 5 : checks, () => built.verify('get', context, request, answer))
}

async function rowsFigure(built: Engine, live: Verifier): Promise<Figure> {
  const path = `/db/verifiable/tx/${live.since}?proveSinceTx=${live.since}`
  const kinds = ['kv', 'z', 'sql'].map((kind) => `&entriesSpec.${kind}EntriesSpec.action=RAW_VALUE`)
  const proof = await live.api.call(path)
  const raw = await live.api.call<{ tx: unknown }>(path + kinds.join(''))
  const context = { ...live.context(), publicKey: null }
  return timed(20, async () => {
    const { facts } = await built.verify('tx', context, { tx: live.since }, proof)
    if (built.withValues(facts?.entries ?? [], raw.tx).length !== rows) throw new Error('rows')
  })
}

async function timed(runs: number, run: () => Promise<unknown>): Promise<Figure> {
  const samples: number[] = []
  for (let at = 0; at < runs * 1.2; at += 1) {
    const started = performance.now()
    await run()
    // The first ones are those that are compiled.
    if (at >= runs * 0.2) samples.push(performance.now() - started)
  }
  return figure(samples)
}

export function proofTable({ unsigned, signed, rows: many }: ProofFigures): string {
  const line = (name: string, { median, p95 }: Figure) =>
    `${name}: median ${median.toFixed(2)} ms, p95 ${p95.toFixed(2)} ms`
  return [
    line('one proof without signature', unsigned),
    line('one proof with signature', signed),
    line(`${rows} rows of one transaction`, many),
  ].join('\n')
}
