import { type AuditEvent, auditKeyAt, type EventContent, splitAddress } from '~/immudb/audit-event'

/** Which events to show; null where anything goes. */
export type AuditFilter = {
  readonly user: string | null
  /** The short name or the whole path. */
  readonly method: string | null
  readonly kind: string | null
  readonly outcome: 'succeeded' | 'failed' | null
  /** One of the addresses, claimed or seen. */
  readonly address: string | null
}

/** Both ends in milliseconds since 1970 and part of it; null for no end. */
export type AuditRange = { readonly from: number | null; readonly to: number | null }

export const noFilter: AuditFilter = {
  user: null,
  method: null,
  kind: null,
  outcome: null,
  address: null,
}

export function isFiltered(filter: AuditFilter): boolean {
  return Object.values(filter).some((one) => one !== null)
}

/** Whether an event fits; one that cannot be read fits no filter. */
export function fits({ content }: AuditEvent, filter: AuditFilter): boolean {
  if (content === null) return !isFiltered(filter)
  const { user, method, kind, outcome, address } = filter
  if (user !== null && content.user !== user) return false
  if (kind !== null && content.kind !== kind) return false
  if (outcome !== null && content.isOk !== (outcome === 'succeeded')) return false
  if (method !== null && !isNamed(content, method)) return false
  return address === null || addressesOf(content).includes(address)
}

function isNamed({ method, path }: EventContent, name: string): boolean {
  return method.toLowerCase() === name.toLowerCase() || path === name
}

function addressesOf({ address }: EventContent): readonly (string | null)[] {
  const { claimed, seen } = splitAddress(address)
  return [...claimed, seen, address]
}

/** The keys around a range; the end counts to the end of its second. */
export function keysOf({ from, to }: AuditRange): { above: string | null; end: string | null } {
  return {
    above: to === null ? null : auditKeyAt(to + 1_000),
    end: from === null ? null : auditKeyAt(from),
  }
}
