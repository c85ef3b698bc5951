import type { Client } from '~/api/client'

type Props = {
  /** The servers that hold the database; `origin` is the address of what is kept about each. */
  servers: readonly { name: string; client: Client; origin: string }[]
  database: string
}

/** Compares the histories of one database on several servers. */
export function Histories({ servers, database }: Props) {
  return servers.length < 2 ? null : <p className="text-muted">{database}</p>
}
