import { useAtomValue } from 'jotai'
import { editorTextAtom } from '~/atoms/query/editor'
import { outputAtom } from '~/atoms/query/output'
import { tablesAtom } from '~/atoms/tables/table-list'
import { tableTabsAtom } from '~/atoms/tables/table-tabs'
import { databaseAtom } from '~/core/session/session'
import { lastSearchAtom } from '~/core/storage/places'
import { useRawSearch } from '~/ui/location'
import { useShownTable } from '../tables/address'
import { useOnlyChoice } from '../tables/use-only-choice'
import { useEditors } from './use-editors'

/** The names of an address that say nothing of what Query is to show. */
const general: ReadonlySet<string> = new Set(['db', 'server'])
const others = ['overview', 'keys', 'documents', 'transactions', 'compare', 'verify', 'databases']

/**
 * Shows the rows of the only table to those who come from another page of the database, where
 * nothing was typed, opened or linked to. An address that was opened shows what it says.
 */
export function OnlyTable() {
  const { data } = useAtomValue(tablesAtom)
  const database = useAtomValue(databaseAtom)
  const text = useAtomValue(editorTextAtom)
  const { open, shown } = useEditors()
  const tabs = useAtomValue(tableTabsAtom)
  const outputs = useAtomValue(outputAtom)
  const { show } = useShownTable()
  const search = new URLSearchParams(useRawSearch())
  const isNamed = [...search.keys()].some((name) => !general.has(name))
  const lastSearch = useAtomValue(lastSearchAtom)
  const comes = others.some((page) => lastSearch(page) !== undefined)
  // Before the drafts were looked up nobody knows what there is to go on with.
  const isReady = text !== null && shown.database === database && search.get('db') === database
  useOnlyChoice({
    kind: 'tables',
    names: isReady ? data : undefined,
    isTaken:
      !comes || isNamed || text !== '' || open.length > 1 || tabs.length > 0 || outputs.length > 0,
    open: (name) => show(name, { replace: true }),
  })
  return null
}
