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
      className="z-header flex h-(--header-height) shrink-0 items-center gap-2 border-line border-b bg-panel px-2"
      data-top-bar
    >
      <IconButton
        aria-expanded={isNavigationShown}
        icon={<SidebarIcon />}
        label={isNavigationShown ? 'Hide navigation' : 'Show navigation'}
        onClick={onNavigation}
      />
      <Breadcrumbs />
      <div className="ms-auto flex min-w-0 items-center gap-2">
        <StateChip />
        <TrustChip />
        <DatabaseSelect />
        <AccountMenu />
      </div>
    </header>
  )
}
