import { useAtomValue, useSetAtom } from 'jotai'
import { type ReactNode, useState } from 'react'
import { openDatabase, whyUnopened } from '~/atoms/databases/database-list'
import { addressedEditorsAtom } from '~/atoms/query/addressed-editor'
import { useAct } from '~/core/act'
import { addressedMomentsAtom } from '~/core/history/newest-state'
import { sentence } from '~/core/session/failure-words'
import {
  databaseAtom,
  type UnopenedDatabase as Unopened,
  unopenedDatabaseAtom,
} from '~/core/session/session'
import { pageAt, pathTo, valuePrefix } from '~/lib/paths'
import { cutText } from '~/lib/visible-text'
import { Button } from '~/ui/Button'
import { Link } from '~/ui/Link'
import { useChangeSearch, usePath, useRawSearch } from '~/ui/location'
import { SafeName } from '~/ui/SafeText'
import { Sentence } from '~/ui/Sentence'
import { homeLinkLook } from './ErrorPage'

/** Shown instead of a screen whose address names a database that could not be opened. */
export function UnopenedDatabase({ unopened: { name, error } }: { unopened: Unopened }) {
  const database = useAtomValue(databaseAtom)
  const change = useChangeSearch()
  const inDatabase = useInDatabase()
  const why = whyUnopened(name, error)
  const shown = <SafeName text={shortened(name)} />
  const titles: Record<typeof why, ReactNode> = {
    missing: <>No database {shown} on this server</>,
    permission: <>You have no permission on {shown}</>,
    unloaded: <>The database {shown} is unloaded</>,
    system: <>{shown} is not shown here</>,
    failed: <>{shown} was not opened</>,
  }
  const texts: Record<typeof why, string> = {
    missing: 'The link may be of another server, or the database was deleted.',
    permission: 'An administrator can give you one on the page Users.',
    unloaded: 'Nothing in it can be read until it is loaded.',
    system: sentence(error),
    failed: sentence(error),
  }
  return (
    <section className="grid h-full place-content-center justify-items-center gap-3 p-6 text-center">
      <h1 className="max-w-prose font-medium text-xl [overflow-wrap:anywhere]">{titles[why]}</h1>
      <p className="max-w-prose text-muted">
        <Sentence text={texts[why]} />
        {database !== null && (
          <>
            {' '}
            The open database is <SafeName text={database} />.
          </>
        )}
      </p>
      <div className="flex flex-wrap items-center justify-center gap-2">
        {database !== null && (
          <Button onClick={() => change(inDatabase(database))} variant="primary">
            <span>
              Open <SafeName text={database} />
            </span>
          </Button>
        )}
        {why !== 'system' && <Again name={name} />}
        {why === 'system' ? (
          <Link className={homeLinkLook} to={pathTo('audit')}>
            Show log
          </Link>
        ) : (
          <Link
            className={homeLinkLook}
            to={pathTo('databases', {
              ...(database !== null && { db: database }),
              ...(why === 'unloaded' && { name }),
            })}
          >
            Show the databases
          </Link>
        )}
      </div>
    </section>
  )
}

/** Asks the server once more; the database may be there by now. */
function Again({ name }: { name: string }) {
  const open = useAct(openDatabase)
  const note = useSetAtom(unopenedDatabaseAtom)
  const [isBusy, setBusy] = useState(false)
  const press = () => {
    setBusy(true)
    open(name)
      .catch((error: unknown) => note({ name, error }))
      .finally(() => setBusy(false))
  }
  return (
    <Button busy={isBusy} onClick={press}>
      Try again
    </Button>
  )
}

/**
 * Transactions and rows of one database, whose numbers mean others in the next one, and what a link
 * brings to be run in it and nowhere else.
 */
const ofOneDatabase = {
  id: undefined,
  from: undefined,
  to: undefined,
  row: undefined,
  doc: undefined,
  rev: undefined,
  sql: undefined,
  query: undefined,
}

/** What changes in the address when another database is opened. */
export function useInDatabase() {
  const moments = useAtomValue(addressedMomentsAtom)
  const editors = useAtomValue(addressedEditorsAtom)
  const hasEditors = pageAt(usePath())?.name === 'query'
  const search = new URLSearchParams(useRawSearch())
  const values = [...search.keys()].filter((name) => name.startsWith(valuePrefix))
  return (db: string) => ({
    ...ofOneDatabase,
    ...Object.fromEntries(values.map((name) => [name, undefined])),
    db,
    at: moments.get(db),
    editor: hasEditors ? editors.get(db) : undefined,
  })
}

/** Longer names are those of no database. */
const longestName = 128

const shortened = (name: string) => cutText(name, longestName)
