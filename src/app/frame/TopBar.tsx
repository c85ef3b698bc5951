import { useAtomValue } from 'jotai'
import { databasesAtom } from '~/atoms/databases/database-list'
import { namedTxAtom, outageAtom } from '~/core/history/newest-state'
import { sentence, troubleOf } from '~/core/session/failure-words'
import { databaseAtom } from '~/core/session/session'
import { pageAt, pathTo } from '~/lib/paths'
import { formatTx } from '~/lib/text'
import { Button } from '~/ui/Button'
import { cx } from '~/ui/cx'
import { DatabaseIcon, RefreshIcon, SidebarIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { Link } from '~/ui/Link'
import { Logo } from '~/ui/Logo'
import { useNavigate, usePath } from '~/ui/location'
import { Select } from '~/ui/Select'
import { ToLimit } from '~/ui/Sentence'
import { showToast } from '~/ui/toast'
import { useNarrow } from '~/ui/use-narrow'
import { FinderField } from '../finder/FinderField'
import { OfServers } from '../servers/OfServers'
import { useServers } from '../servers/use-servers'
import { AccountMenu } from './AccountMenu'
import { TrustChip } from './TrustChip'
import { useOpenPlace } from './use-open-place'

type Props = { isNavigationShown: boolean; onNavigation: () => void }

export function TopBar({ isNavigationShown, onNavigation }: Props) {
  // On a phone, the names of server and database need a line of their own.
  const isNarrow = useNarrow()
  const hasServers = useServers().length > 1
  const isTwoLines = isNarrow && hasServers
  const choices = (
    <>
      <OfServers part="header" />
      <DatabaseSelect isWide={isTwoLines} />
    </>
  )
  return (
    <header
      className={cx(
        'z-header shrink-0 border-line border-b bg-panel px-1 xs:px-2',
        !isTwoLines && 'h-(--header-height)',
      )}
      data-top-bar
    >
      <div className={cx('flex items-center gap-1 xs:gap-2', isTwoLines ? 'h-11' : 'h-full')}>
        <IconButton
          aria-expanded={isNavigationShown}
          icon={<SidebarIcon />}
          label={isNavigationShown ? 'Hide navigation' : 'Show navigation'}
          onClick={onNavigation}
        />
        <div className="min-w-0 shrink-0 max-[375px]:shrink-99">
          <Breadcrumbs />
          <StateChip className="block truncate text-xs xs:hidden" />
        </div>
        <div className="ms-auto flex min-w-0 items-center gap-1 xs:gap-2">
          <FinderField />
          <StateChip className="hidden min-w-12 max-w-44 truncate rounded border border-line px-2 py-0.5 text-center text-sm xs:block" />
          <TrustChip />
          {!isTwoLines && choices}
          <AccountMenu />
        </div>
      </div>
      {isTwoLines && <div className="flex gap-1 pb-1">{choices}</div>}
    </header>
  )
}

/** Where the user is: the product, then the page. */
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
  const txId = useAtomValue(namedTxAtom)
  const outage = useAtomValue(outageAtom)
  if (txId === null) return null
  const text = txId === '0' ? 'empty' : `tx ${formatTx(txId)}`
  return (
    <span
      className={cx('font-mono text-muted', className)}
      title={`Newest transaction, reported by server${outage ? ' before it went away' : ''}`}
    >
      {text}
    </span>
  )
}

/** Switches the database of this tab; a refusal is shown and changes nothing. */
export function DatabaseSelect({ isWide = false }: { isWide?: boolean }) {
  const { data = [], error, isFetching, refetch } = useAtomValue(databasesAtom)
  const database = useAtomValue(databaseAtom)
  const open = useOpenPlace()
  const isListed = data.some(({ name }) => name === database)
  const known = database && !isListed ? [{ value: database, label: database }] : []
  const options = data.map(({ name, loaded }) => ({
    value: name,
    label: name,
    ...(loaded ? {} : { detail: 'not loaded' }),
  }))
  const navigate = useNavigate()
  const choose = (name: string) =>
    open(name).catch((error: unknown) => {
      const isUnloaded = troubleOf(error) === 'unloaded'
      const show = () => navigate(pathTo('databases', { ...(database && { db: database }), name }))
      showToast({
        kind: 'error',
        text: `${name} was not opened. ${sentence(error)}`,
        ...(isUnloaded && { action: { label: 'Load it…', run: show } }),
      })
    })
  return (
    <>
      {error && data.length === 0 && (
        <>
          <ReadAgain isBusy={isFetching} onPress={() => void refetch()} reason={sentence(error)} />
          <ToLimit text={sentence(error)} />
        </>
      )}
      {/* However long the name is, the page's own fits beside it. */}
      <div className={isWide ? 'flex min-w-0 flex-1' : 'flex min-w-20 max-w-48 xs:max-w-72'}>
        <Select
          icon={<DatabaseIcon className="hidden shrink-0 xs:block" />}
          label="Database"
          onChange={choose}
          options={[...known, ...options]}
          placeholder="No database"
          size="small"
          value={database ?? undefined}
          wide={isWide}
        />
      </div>
    </>
  )
}

type ReadAgainProps = { isBusy: boolean; onPress: () => void; reason: string }

/** Without it a list of one would look like all that there is. */
function ReadAgain({ isBusy, onPress, reason }: ReadAgainProps) {
  const label = `The list of databases could not be read. ${reason} Read it again`
  return (
    <Button
      aria-label={label}
      busy={isBusy}
      icon={<RefreshIcon className="text-warning" />}
      onClick={onPress}
      size="small"
      title={label}
    >
      <span className="hidden sm:inline">List not read</span>
    </Button>
  )
}
