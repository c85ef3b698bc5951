import type { Database } from '~/api/databases'
import { Badge } from '~/ui/Badge'

/** Whether the database can be used, and whether it is a copy. */
export function StateBadge({ database }: { database: Database }) {
  if (!database.loaded) return <Badge tone="warning">Unloaded</Badge>
  if (database.isReplica) return <Badge tone="info">Replica</Badge>
  // What is as it should be needs no mark.
  return <span className="font-normal text-muted text-sm">Loaded</span>
}
