import { offeredLevels } from '~/immudb/permission'
import { levelName } from '~/immudb/privileges'
import { Select } from '~/ui/Select'

const details = new Map([
  [1, 'May look at everything, change nothing'],
  [2, 'May also write'],
  [254, 'May also manage users and settings of the database'],
])

type Props = {
  label: string
  level: number
  onChange: (level: number) => void
  labelled?: boolean
  size?: 'small' | 'normal'
  disabledReason?: string | undefined
}

/** One of the levels that can be given; a level that cannot be given shows, but is not offered. */
export function PermissionSelect({ level, onChange, ...select }: Props) {
  const offered = offeredLevels.map((value) => {
    const detail = details.get(value)
    return { value: String(value), label: levelName(value), ...(detail ? { detail } : {}) }
  })
  const present = { value: String(level), label: levelName(level), disabled: true }
  return (
    <Select
      {...select}
      onChange={(value) => onChange(Number(value))}
      options={offeredLevels.includes(level) ? offered : [...offered, present]}
      value={String(level)}
      wide
    />
  )
}
