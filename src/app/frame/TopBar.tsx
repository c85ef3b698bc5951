import { SidebarIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { AccountMenu } from './AccountMenu'
import { Breadcrumbs } from './Breadcrumbs'
import { DatabaseSelect } from './DatabaseSelect'
import { StateChip } from './StateChip'
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
