import { useAtomValue, useSetAtom } from 'jotai'
import { databasesAtom, openDatabaseAtom } from '~/atoms/databases/list'
import { databaseAtom } from '~/atoms/session/session'
import { sentence, troubleOf } from '~/atoms/storage/failure'
import { pathTo } from '~/lib/paths'
import { Button } from '~/ui/Button'
import { DatabaseIcon, RefreshIcon } from '~/ui/Icon'
import { useNavigate } from '~/ui/location'
import { Select } from '~/ui/Select'
import { showToast } from '~/ui/toast'

/** Switches the database of this tab; a refused one is said and nothing changes. */
export function DatabaseSelect() {
  const { data = [], error, isFetching, refetch } = useAtomValue(databasesAtom)
  const database = useAtomValue(databaseAtom)
  const open = useSetAtom(openDatabaseAtom)
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
        <ReadAgain isBusy={isFetching} onPress={() => void refetch()} reason={sentence(error)} />
      )}
      {/* However long the name is, the page's own fits beside it. */}
      <div className="flex min-w-20 max-w-48 xs:max-w-72">
        <Select
          icon={<DatabaseIcon className="hidden shrink-0 xs:block" />}
          label="Database"
          onChange={choose}
          options={[...known, ...options]}
          placeholder="No database"
          size="small"
          value={database ?? undefined}
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
