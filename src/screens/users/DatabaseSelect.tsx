import { useAtomValue } from 'jotai'
import { databasesAtom } from '~/atoms/databases/database-list'
import { viewerAtom } from '~/atoms/users/viewer'
import { sentence } from '~/core/session/failure-words'
import { administeredDatabases } from '~/immudb/user-rules'
import { visibleText } from '~/lib/visible-text'
import { ErrorNote } from '~/ui/ErrorNote'
import { Select } from '~/ui/Select'

/** The databases whose users the viewer may manage, as far as they are listed yet. */
export function useManagedDatabases(): string[] {
  const viewer = useAtomValue(viewerAtom)
  const { data = [] } = useAtomValue(databasesAtom)
  return administeredDatabases(
    viewer,
    data.map(({ name }) => name),
  )
}

type Props = {
  value: string | undefined
  onChange: (name: string) => void
  /** What can be chosen, of the managed databases. */
  options: readonly string[]
}

/** Chooses the database that a permission is for. */
export function DatabaseSelect({ value, onChange, options }: Props) {
  const { data, error, refetch } = useAtomValue(databasesAtom)
  if (error && !data) {
    return <ErrorNote onRetry={() => void refetch()} title={sentence(error)} />
  }
  return (
    <Select
      label="Permission database"
      labelled
      onChange={onChange}
      options={options.map((name) => ({ value: name, label: visibleText(name) }))}
      placeholder={data ? 'Choose a database' : 'Listing the databases…'}
      value={value}
      wide
    />
  )
}
