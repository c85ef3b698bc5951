import type { AuditFilter, AuditRange } from '~/atoms/auditlog/filter'
import { auditKinds } from '~/immudb/audit-event'
import { writtenTime } from '~/lib/time'
import { useChangeSearch, useSearchParam } from '~/ui/location'

/** The parameters of the page. */
type Part = 'user' | 'method' | 'kind' | 'outcome' | 'address' | 'from' | 'to'

const outcomes = ['succeeded', 'failed'] as const

/** What the page shows, as the address says it, and what changes it. Times are in UTC. */
export function useAuditAddress() {
  const [user = ''] = useSearchParam('user')
  const [method = ''] = useSearchParam('method')
  const [kindText] = useSearchParam('kind')
  const [outcomeText] = useSearchParam('outcome')
  const [address = ''] = useSearchParam('address')
  const [fromText = ''] = useSearchParam('from')
  const [toText = ''] = useSearchParam('to')
  const change = useChangeSearch()
  const outcome = outcomes.find((one) => one === outcomeText) ?? null
  const kind = auditKinds.find((one) => one === kindText) ?? null
  const filter: AuditFilter = {
    user: user || null,
    method: method || null,
    kind,
    outcome,
    address: address || null,
  }
  const range: AuditRange = { from: timeOf(fromText), to: timeOf(toText) }
  return {
    filter,
    range,
    set: (parts: Partial<Record<Part, string | null>>) =>
      change(
        Object.fromEntries(
          Object.entries(parts).map(([name, value]) => [
            name,
            value === '' ? undefined : (value ?? undefined),
          ]),
        ),
      ),
  }
}

/** Milliseconds since 1970 of a written time; null for any other text. */
function timeOf(text: string): number | null {
  const written = writtenTime(text)
  return written === null ? null : Date.parse(`${written.replace(' ', 'T')}Z`)
}

/** A time as the address and the fields have it. */
export function writeTime(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ')
}
