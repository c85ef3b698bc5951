import { useAtomValue } from 'jotai'
import { lackingAtom } from '~/core/session/server-version'
import { neededFor } from '~/immudb/column-types'
import type { SelectOption } from '~/ui/select/select'

/** Types of columns to choose from; those that the server lacks say so. */
export function useTypeOptions(types: readonly string[]): SelectOption[] {
  const lacks = useAtomValue(lackingAtom)
  return types.map((type) => {
    const feature = neededFor(type)
    const detail = feature && lacks(feature)
    return { value: type, label: type, ...(detail === undefined ? {} : { detail, disabled: true }) }
  })
}
