import { useAtomValue } from 'jotai'
import { memo, type ReactNode } from 'react'
import type { User } from '~/api/users'
import { timezoneAtom } from '~/core/page-view'
import { readGoTime } from '~/immudb/go-time'
import type { Permission } from '~/immudb/permission'
import { levelName } from '~/immudb/privileges'
import { formatMoment } from '~/lib/time'
import { visibleText } from '~/lib/visible-text'
import { Badge } from '~/ui/Badge'
import { cx } from '~/ui/cx'
import { UserIcon } from '~/ui/Icon'
import { useLinesInSight } from '~/ui/lines-in-sight'
import { Rows } from '~/ui/Rows'
import { SafeName } from '~/ui/SafeText'
import { useNarrow } from '~/ui/use-narrow'

type Props = {
  users: readonly User[]
  /** The signed-in user, who is marked. */
  own: string
  selected: string | undefined
  onSelect: (name: string) => void
}

const columns =
  'grid items-center gap-x-4 px-3 grid-cols-[minmax(0,1fr)_auto] xs:grid-cols-[minmax(0,4fr)_72px_minmax(0,5fr)] sm:grid-cols-[minmax(0,4fr)_72px_minmax(0,5fr)_176px]'

/** All users in a table; only the visible rows are drawn. */
export function UserList({ users, own, selected, onSelect }: Props) {
  const sight = useLinesInSight(users.length, useNarrow() ? 64 : 48)
  return (
    <Rows
      head={{ cells: <Head />, height: 32, look: cx(columns, 'bg-raised') }}
      label="Users"
      role="table"
      row={(index) => {
        const user = users[index]
        const isSelected = user?.user === selected
        return user && <Cells {...{ user, isSelected, onSelect }} isOwn={user.user === own} />
      }}
      rowKey={(index) => users[index]?.user ?? String(index)}
      rowLook={(index) =>
        cx(
          columns,
          'border-line border-b fades',
          users[index]?.user === selected
            ? 'bg-hover shadow-[inset_3px_0_0_var(--primary)]'
            : 'hover:bg-hover',
        )
      }
      sight={sight}
    />
  )
}

function Head() {
  return (
    <>
      <Cell header>User</Cell>
      <Cell header>Status</Cell>
      <Cell className="hidden xs:block" header>
        Permissions
      </Cell>
      <Cell className="hidden sm:block" header>
        Last change
      </Cell>
    </>
  )
}

type CellProps = { header?: boolean; className?: string; children: ReactNode }

function Cell({ header, className, children }: CellProps) {
  return (
    <div className={cx('min-w-0', className)} role={header ? 'columnheader' : 'cell'}>
      {children}
    </div>
  )
}

type CellsProps = {
  user: User
  isOwn: boolean
  isSelected: boolean
  onSelect: (name: string) => void
}

const Cells = memo(function Cells({ user, isOwn, isSelected, onSelect }: CellsProps) {
  return (
    <>
      <Cell className="flex flex-wrap items-center gap-x-2">
        <UserIcon className={cx('shrink-0', isOwn ? 'text-primary' : 'text-muted')} />
        {/* The button's area is the whole row, so that it can be pressed anywhere. */}
        <button
          aria-expanded={isSelected}
          className="min-w-0 max-w-[calc(100%-5rem)] truncate rounded-sm text-start font-medium after:absolute after:inset-0 xs:max-w-[calc(100%-1.5rem)]"
          onClick={() => onSelect(user.user)}
          title={visibleText(user.user)}
          type="button"
        >
          <SafeName text={user.user} />
        </button>
        {isOwn && <Badge tone="info">You</Badge>}
        <PhonePermissions permissions={user.permissions} />
      </Cell>
      <Cell>
        <StatusBadge active={user.active} />
      </Cell>
      <Cell className="hidden xs:block">
        <Permissions permissions={user.permissions} />
      </Cell>
      <Cell className="hidden text-muted text-xs sm:block">
        <LastChange user={user} />
      </Cell>
    </>
  )
})

/** What is usual stays quiet, so that the exception is seen. */
export function StatusBadge({ active }: { active: boolean }) {
  if (!active) return <Badge>Inactive</Badge>
  return (
    <span className="inline-flex items-center gap-1.5 font-normal text-sm">
      <span aria-hidden="true" className="size-2 rounded-full bg-info" />
      Active
    </span>
  )
}

/** Where there is no room for a column: one line below the name. */
function PhonePermissions({ permissions }: { permissions: readonly Permission[] }) {
  const [first] = permissions
  const rest = permissions.length - 1
  return (
    <p className="w-full truncate ps-6 text-muted text-xs xs:hidden">
      {first ? (
        <>
          <SafeName text={databaseName(first.database)} /> {levelName(first.permission)}
          {rest > 0 && `, +${rest} more`}
        </>
      ) : (
        'No permission'
      )}
    </p>
  )
}

/** Two of them, one on a line; all on hover and in the details. */
function Permissions({ permissions }: { permissions: readonly Permission[] }) {
  const rest = permissions.length - 2
  const all = permissions.map(
    ({ database, permission }) =>
      `${visibleText(databaseName(database))}: ${levelName(permission)}`,
  )
  if (permissions.length === 0) return <span className="text-muted text-xs">No permission</span>
  return (
    <div className="min-w-0 text-xs leading-[18px]" title={all.join('\n')}>
      {permissions.slice(0, 2).map(({ database, permission }, at) => (
        <div className="flex min-w-0 flex-wrap gap-x-1.5" key={database}>
          <span className="min-w-0 truncate">
            <SafeName text={databaseName(database)} />
          </span>
          <span className="shrink-0 text-muted">{levelName(permission)}</span>
          {at === 1 && rest > 0 && <span className="shrink-0 text-muted">+{rest} more</span>}
        </div>
      ))}
    </div>
  )
}

/** The wildcard as people say it. */
export function databaseName(database: string): string {
  return database === '*' ? 'All databases' : database
}

/** When and by which user; the server keeps no time of creation. */
export function LastChange({ user, inline }: { user: User; inline?: boolean }) {
  const timezone = useAtomValue(timezoneAtom)
  const time = readGoTime(user.createdat)
  const look = inline ? undefined : 'block truncate'
  return (
    <>
      <span className={look} title={visibleText(user.createdat)}>
        {time === null ? 'Unknown' : formatMoment(time, timezone)}
      </span>
      {user.createdby !== '' && (
        <span className={look}>
          {' '}
          by <SafeName text={user.createdby} />
        </span>
      )}
    </>
  )
}
