import { useAtomValue } from 'jotai'
import { outageAtom, stateAtom } from '~/atoms/history/state'
import { pageAt, pathTo } from '~/lib/paths'
import { formatTx } from '~/lib/text'
import { cx } from '~/ui/cx'
import { SidebarIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { Link } from '~/ui/Link'
import { Logo } from '~/ui/Logo'
import { usePath } from '~/ui/location'
import { AccountMenu } from './AccountMenu'
import { DatabaseSelect } from './DatabaseSelect'
import { TrustChip } from './TrustChip'

type Props = { isNavigationShown: boolean; onNavigation: () => void }

export function TopBar({ isNavigationShown, onNavigation }: Props) {
  return (
    <header
      className="z-header flex h-(--header-height) shrink-0 items-center gap-1 border-line border-b bg-panel px-1 xs:gap-2 xs:px-2"
      data-top-bar
    >
      <IconButton
        aria-expanded={isNavigationShown}
        icon={<SidebarIcon />}
        label={isNavigationShown ? 'Hide navigation' : 'Show navigation'}
        onClick={onNavigation}
      />
      <div className="min-w-0 shrink-0 max-[375px]:shrink">
        <Breadcrumbs />
        <StateChip className="block truncate text-xs xs:hidden" />
      </div>
      <div className="ms-auto flex min-w-0 items-center gap-1 xs:gap-2">
        <StateChip className="hidden min-w-12 max-w-44 truncate rounded border border-line px-2 py-0.5 text-center text-sm xs:block" />
        <TrustChip />
        <DatabaseSelect />
        <AccountMenu />
      </div>
    </header>
  )
}

/** Where one is: the product, then the page. */
export function Breadcrumbs() {
  const page = pageAt(usePath())
  return (
    <nav aria-label="Breadcrumbs" className="min-w-0">
      <ol className="flex items-center gap-2">
        <li className="hidden xs:block">
          <Link aria-label="Home" className="block rounded" to={pathTo('overview')}>
            <Logo height={20} />
          </Link>
        </li>
        <li aria-hidden="true" className="hidden text-muted xs:block">
          /
        </li>
        <li aria-current="page" className="truncate font-medium">
          {page?.title ?? 'Not found'}
        </li>
      </ol>
    </nav>
  )
}

type StateChipProps = {
  /** On a phone it stands below the title, else in a frame of its own. */
  className: string
}

/** The newest transaction as the server reports it; nothing here is verified. */
function StateChip({ className }: StateChipProps) {
  const { data } = useAtomValue(stateAtom)
  const outage = useAtomValue(outageAtom)
  if (!data) return null
  const text = data.txId === '0' ? 'empty' : `tx ${formatTx(data.txId)}`
  return (
    <span
      className={cx('font-mono text-muted', className)}
      title={`Newest transaction, reported by server${outage ? ' before it went away' : ''}`}
    >
      {text}
    </span>
  )
}
