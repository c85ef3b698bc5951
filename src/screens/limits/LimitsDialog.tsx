import { useAtomValue } from 'jotai'
import { useRef } from 'react'
import { limitRowsAtom } from '~/atoms/limits/limit-rows'
import { databaseAtom } from '~/core/session/session'
import type { Limit } from '~/immudb/limits'
import { pathTo } from '~/lib/paths'
import { Dialog } from '~/ui/Dialog'
import { Link } from '~/ui/Link'
import { SafeName } from '~/ui/SafeText'
import { LimitLine, LimitList, nearestWords } from './LimitList'

type Props = {
  /** The limit that was asked for; any other text for none. */
  name: string
  onClose: () => void
}

/** Where each limit of the server stands, what happens at it and what moves it. */
export function LimitsDialog({ name, onClose }: Props) {
  const rows = useAtomValue(limitRowsAtom)
  const database = useAtomValue(databaseAtom)
  const asked = useRef<HTMLLIElement>(null)
  const first = rows.find(({ limit }) => limit.name === name)
  const of = (place: Limit['of']) => rows.filter((row) => row !== first && row.limit.of === place)
  return (
    <Dialog
      description={nearestWords(rows)}
      initialFocus={asked}
      onClose={onClose}
      open
      title="Limits"
      width="wide"
    >
      {first && (
        <ul aria-label="The limit you came for">
          <LimitLine row={first} ref={asked} />
        </ul>
      )}
      <LimitList rows={of('server')} title="Of the server" />
      <LimitList
        rows={of('database')}
        title={
          <>
            Of the database <SafeName text={database ?? ''} />
          </>
        }
      />
      <p className="mt-3 text-muted text-sm">
        Settings of a database are in{' '}
        <Link
          className="text-primary underline"
          to={pathTo('databases', database === null ? {} : { name: database })}
        >
          Databases
        </Link>
        . Flags of immudb take effect when it is started; the database inside of the program
        webconsole runs without them.
      </p>
    </Dialog>
  )
}
