import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { databaseAtom } from '~/core/session/session'
import { lastSearchAtom } from '~/core/storage/places'
import { type PageName, pageAt, pages, pathTo } from '~/lib/paths'
import { cx } from '~/ui/cx'
import {
  AuditIcon,
  BookIcon,
  CollapseIcon,
  CompareIcon,
  DatabaseIcon,
  DocumentIcon,
  KeyIcon,
  OverviewIcon,
  ServersIcon,
  SettingsIcon,
  ShieldIcon,
  SidebarIcon,
  TerminalIcon,
  TransactionsIcon,
  UsersIcon,
} from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { Link } from '~/ui/Link'
import { usePath } from '~/ui/location'
import { preload } from '../routes'
import { useShownPages } from '../shown-pages'

const groups: readonly (readonly { page: PageName; icon: ReactNode }[])[] = [
  [
    { page: 'overview', icon: <OverviewIcon /> },
    { page: 'query', icon: <TerminalIcon /> },
    { page: 'keys', icon: <KeyIcon /> },
    { page: 'documents', icon: <DocumentIcon /> },
  ],
  [
    { page: 'transactions', icon: <TransactionsIcon /> },
    { page: 'compare', icon: <CompareIcon /> },
    { page: 'verify', icon: <ShieldIcon /> },
  ],
  [
    { page: 'servers', icon: <ServersIcon /> },
    { page: 'databases', icon: <DatabaseIcon /> },
    { page: 'users', icon: <UsersIcon /> },
    { page: 'audit', icon: <AuditIcon /> },
  ],
  [
    { page: 'guide', icon: <BookIcon /> },
    { page: 'settings', icon: <SettingsIcon /> },
  ],
]

type Props = {
  /** Icons only; the names stay for assistive technology and on hover. */
  isMini: boolean
  onMini?: (mini: boolean) => void
  onPick?: () => void
}

export function Navigation({ isMini, onMini, onPick }: Props) {
  const offered = useShownPages()
  const shown = groups
    .map((group) => group.filter(({ page }) => offered.has(page)))
    .filter((group) => group.length > 0)
  return (
    <div
      className={cx(
        'flex shrink-0 flex-col bg-panel',
        onMini && `border-line border-r ${isMini ? 'w-12' : 'w-48'}`,
      )}
    >
      <nav aria-label="Main" className="grow overflow-auto p-2">
        {shown.map((group, index) => (
          <ul
            className={cx('grid gap-0.5', index > 0 && 'mt-2 border-line border-t pt-2')}
            key={group[0]?.page}
          >
            {group.map(({ page, icon }) => (
              <NavigationLine icon={icon} isMini={isMini} key={page} onPick={onPick} page={page} />
            ))}
          </ul>
        ))}
      </nav>
      {onMini && (
        <div className="border-line border-t p-2">
          <IconButton
            icon={isMini ? <SidebarIcon /> : <CollapseIcon />}
            label={isMini ? 'Show names in the navigation' : 'Show only icons in the navigation'}
            onClick={() => onMini(!isMini)}
          />
        </div>
      )}
    </div>
  )
}

type LineProps = {
  page: PageName
  icon: ReactNode
  isMini: boolean
  onPick?: (() => void) | undefined
}

function NavigationLine({ page, icon, isMini, onPick }: LineProps) {
  const database = useAtomValue(databaseAtom)
  const lastSearch = useAtomValue(lastSearchAtom)(page)
  const isHere = pageAt(usePath())?.name === page
  // The page that is shown begins anew; the others are as they were left.
  const last = isHere ? {} : Object.fromEntries(new URLSearchParams(lastSearch))
  const title = pages.find(({ name }) => name === page)?.title ?? page
  return (
    <li>
      <Link
        className="flex h-11 items-center gap-3 rounded px-2 text-muted no-underline hover:bg-hover hover:text-text aria-[current=page]:bg-selected aria-[current=page]:text-text xs:h-8"
        onClick={onPick}
        onMouseEnter={() => preload(page)}
        title={isMini ? title : undefined}
        to={pathTo(page, database ? { db: database, ...last } : {})}
      >
        {icon}
        <span className={isMini ? 'sr-only' : undefined}>{title}</span>
      </Link>
    </li>
  )
}
