import { type SavedAudit, saveAudit } from './audit-walk'
import { type Catalog, emptyCatalog } from './catalog'
import { type AuditCounts, type DeepAudit, type Pending, startDeepAudit } from './deep-audit'
import type { Exceptions } from './exceptions'
import { resumeAudit } from './kernel/audit'
import { type Point, type TrustedState, writePoint } from './kernel/context'
import { anyFields, digest, uint64 } from './kernel/read'
import { malformed, within } from './kernel/steps'
import type { SampleRow } from './sample-row'

/** A paused audit, as JSON; a few kilobytes, mostly the tables of the database. */
export type SavedDeepAudit = {
  format: typeof format
  chain: SavedAudit
  target: TrustedState
  first: string
  withValues: boolean
  counts: AuditCounts
  exceptions: Exceptions
  /** Null when there are too many tables to keep. */
  catalog: SavedTable[] | null
  /** Absent where an older console kept it. */
  catalogTx?: string
  rows: [number, SampleRow][]
  collections: [number, string | number][]
  /** Absent where an older console kept it. */
  nameDigests?: [number, string | null][]
  pending: Pending[]
}

type SavedTable = [
  id: number,
  name: string | null,
  pk: number[],
  cols: ([id: number] | [id: number, name: string, type: string, maxLen: number])[],
]

const format = 1
/** Characters of the catalog as JSON that are kept. */
export const keptCatalog = 16_000
/** A page with more documents is saved only after they are proven. */
export const keptPending = 100

/** Null while the audit cannot pause yet. */
export function saveDeepAudit(audit: DeepAudit): SavedDeepAudit | null {
  if (audit.pending.length > keptPending) return null
  const { chain, target, first, withValues, counts, exceptions, collections, pending } = audit
  const catalog = saveCatalog(audit.catalog)
  const rows = [...audit.rows]
  const isKept = audit.isCatalogWhole && JSON.stringify([catalog, rows]).length <= keptCatalog
  return {
    format,
    chain: saveAudit(chain),
    target: writePoint(target),
    first: String(first),
    withValues,
    counts: { ...counts },
    exceptions: { counts: { ...exceptions.counts }, list: [...exceptions.list] },
    catalog: isKept ? catalog : null,
    catalogTx: String(audit.catalogTx),
    rows: isKept ? rows : [],
    collections: [...collections].slice(-keptPending),
    nameDigests: [...audit.nameDigests].slice(-keptPending),
    pending: [...pending],
  }
}

/** @throws ProofError `malformed` in step `context` when it is not what `saveDeepAudit` gives */
export function resumeDeepAudit(saved: unknown): DeepAudit {
  return within('context', () => {
    const kept = readSaved(saved)
    const audit = startDeepAudit(pointOf(kept.target), kept.withValues)
    const { catalog, counts, exceptions } = kept
    return {
      ...audit,
      chain: resumeAudit(kept.chain),
      first: BigInt(kept.first),
      counts: { ...counts },
      exceptions: { counts: { ...exceptions.counts }, list: [...exceptions.list] },
      catalog: catalog ? resumeCatalog(catalog) : emptyCatalog(),
      catalogTx: BigInt(catalogTxOf(kept)),
      isCatalogWhole: catalog !== null,
      rows: new Map(kept.rows),
      collections: new Map(kept.collections),
      nameDigests: new Map(kept.nameDigests),
      pending: [...kept.pending],
    }
  })
}

/** `catalogTx` of an audit, or its last transaction when the record has none. */
export function catalogTxOf({ catalogTx, chain }: SavedDeepAudit): string {
  return catalogTx ?? chain.txId
}

/**
 * Continues after a finished audit up to a newer target, without reading again what it proved.
 * @param withTables whether it goes on deriving the tables, as far as they are known
 */
export function goOnFrom(
  finished: unknown,
  {
    target,
    withValues,
    withTables,
  }: Pick<DeepAudit, 'withValues'> & {
    target: TrustedState
    withTables: boolean
  },
): DeepAudit {
  const last = resumeDeepAudit(finished)
  const audit = startDeepAudit(readTarget(target), withValues)
  return {
    ...audit,
    chain: { ...last.chain, entries: 0 },
    first: last.chain.txId + 1n,
    catalog: last.catalog,
    catalogTx: last.catalogTx,
    isCatalogWhole: last.isCatalogWhole && withTables,
    rows: last.rows,
    nameDigests: last.nameDigests,
  }
}

/** @throws ProofError `malformed` in step `context` */
export function readTarget(point: TrustedState): Point {
  return within('context', () => pointOf(point))
}

function pointOf(point: TrustedState) {
  const fields = anyFields(point, 'target')
  return { txId: uint64(fields, 'txId'), txHash: digest(fields, 'txHash') }
}

/** Our own record: checked only where a mistake could mislead. */
function readSaved(saved: unknown): SavedDeepAudit {
  const fields = anyFields(saved, 'audit')
  if (fields.format !== format || !Array.isArray(fields.pending)) malformed('format')
  // Another key would be proven in the place of one that cannot be read.
  if (!fields.pending.every((one) => /^([0-9a-f]{2})+$/.test(Object(one).key))) malformed('pending')
  return saved as SavedDeepAudit // written by `saveDeepAudit` of this format
}

function saveCatalog(catalog: Catalog): SavedTable[] {
  return [...catalog].map(([id, { name, pk, cols }]) => [
    id,
    name,
    pk,
    [...cols].map(([column, found]) =>
      found ? [column, found.name, found.type, found.maxLen] : [column],
    ),
  ])
}

function resumeCatalog(saved: readonly SavedTable[]): Catalog {
  return new Map(
    saved.map(([id, name, pk, cols]) => [
      id,
      {
        name,
        pk,
        cols: new Map(
          cols.map(([column, title, type, maxLen]) => [
            column,
            title === undefined || type === undefined || maxLen === undefined
              ? null
              : { id: column, name: title, type, maxLen },
          ]),
        ),
      },
    ]),
  )
}
