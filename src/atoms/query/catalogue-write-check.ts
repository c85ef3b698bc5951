import type { Client } from '~/api/client'
import { listDatabases } from '~/api/databases'
import { listUsers } from '~/api/users'
import { readGoTime } from '~/immudb/go-time'
import type { CatalogueChange } from '~/sql/elsewhere'

/** Seconds by which two clocks that agree may differ, since both name whole ones. */
export const tolerance = 3

/** When a statement was sent, by the server's clock in milliseconds since 1970, and where. */
type Sent = { database: string; sentAt: number }

/** `isOlder`: what is there was there before the statement was sent. */
export type Found = { text: string; isOlder: boolean }

/**
 * What the lists of users and databases say of a statement that makes no transaction. Only reads;
 * rejects as the calls.
 */
export async function findCatalogueWrite(
  client: Client,
  what: CatalogueChange,
  sent: Sent,
): Promise<Found> {
  const { verb, of, name } = what
  const mayBeListed = verb === 'CREATE' || (verb === 'DROP' && of === 'user')
  if (name === undefined || !mayBeListed) return { text: whereToLook(what), isOlder: false }
  if (of === 'database') {
    const listed = (await listDatabases(client)).find((one) => one.name === name)
    if (!listed) return missing(`No database ${name} is listed so far.`)
    const { createdAt } = listed
    return there(`The database ${name}`, createdAt === null ? null : createdAt * 1000, sent)
  }
  const listed = (await listUsers(client, { database: sent.database })).find(
    ({ user }) => user === name,
  )
  if (verb === 'DROP') return { text: dropped(name, listed?.active), isOlder: false }
  if (!listed) return missing(`No user ${name} is listed so far.`)
  return there(`The user ${name}`, readGoTime(listed.createdat), sent)
}

/** Transactions tell nothing of it, and neither do the lists. */
function whereToLook({ verb, of, name }: CatalogueChange): string {
  const cannot = 'Whether it was done cannot be told: it makes no transaction.'
  if (of === 'database') return `${cannot} Look on the Databases screen.`
  const whom = name === undefined ? '' : ` at ${name}`
  const look = `${cannot} Look${whom} on the Users screen.`
  return verb === 'ALTER' ? `${look} A password cannot be looked at; set it again.` : look
}

function missing(text: string): Found {
  const rest = 'A server that was busy may yet make it, and others may be hidden from you.'
  return { text: `${text} ${rest} Check again.`, isOlder: false }
}

/** A time at which it was made or changed, in milliseconds, or null when none is told. */
function there(what: string, time: number | null, { sentAt }: Sent): Found {
  if (time === null) {
    return { text: `${what} exists; since when cannot be told.`, isOlder: false }
  }
  const isOlder = time < sentAt - tolerance * 1000
  if (isOlder) return { text: `${what} exists, but since before this was sent.`, isOlder }
  return { text: `${what} exists, and it was made or changed after this was sent.`, isOlder }
}

/** DROP USER takes no user away: it deactivates. */
function dropped(name: string, isActive: boolean | undefined): string {
  if (isActive === undefined) {
    return `Whether it was done cannot be told: no user ${name} is listed. Look on the Users screen.`
  }
  if (!isActive) return `The user ${name} is deactivated, which is what DROP USER does.`
  return `Not done so far: the user ${name} is active. A server that was busy may yet do it; check again.`
}
