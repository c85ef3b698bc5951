import { useAtomValue } from 'jotai'
import { draftAtom, keyDrafts } from '~/atoms/keys/drafts'
import { operationDrafts } from '~/atoms/keys/keep-operations'
import { changeKeyView, keyViewAtom } from '~/atoms/keys/key-view'
import { useAct } from '~/core/act'
import { technicalDetails } from '~/core/session/failure-words'
import { databaseAtom } from '~/core/session/session'
import { EmptyState } from '~/ui/EmptyState'
import { KeyIcon } from '~/ui/Icon'
import { useSearchParam } from '~/ui/location'
import { SectionBoundary } from '~/ui/SectionBoundary'
import { useOneColumn } from '~/ui/use-narrow'
import { AsOfStrip } from '../moments/AsOf'
import { useKeysAddress } from './address'
import { EntryPane } from './EntryPane'
import { KeyList } from './KeyList'
import { KeysBar } from './KeysBar'
import { KeyTree } from './KeyTree'
import { KeyTreeBar, type Part } from './KeyTreeBar'
import { OperationsDialog } from './OperationsDialog'

/** Keys on the left, the one that is open on the right; one at a time on a phone. */
export default function KeysScreen() {
  const hasDatabase = useAtomValue(databaseAtom) !== null
  const [dialog, setDialog] = useSearchParam('dialog')
  useAtomValue(keyDrafts.areBackAtom)
  useAtomValue(operationDrafts.areBackAtom)
  if (!hasDatabase) {
    return (
      <>
        <h1 className="sr-only">Keys</h1>
        <EmptyState
          icon={<KeyIcon />}
          text="Choose one at the top to see its keys."
          title="No database is open"
        />
      </>
    )
  }
  return (
    <div className="flex h-full flex-col">
      <AsOfStrip />
      <div className="min-h-0 grow">
        <ListAndEntry />
      </div>
      {dialog === 'operations' && <OperationsDialog onClose={() => setDialog(undefined)} />}
    </div>
  )
}

function Keys() {
  const { database, prefix, isBroken, go } = useKeysAddress()
  const view = useAtomValue(keyViewAtom)
  const change = useAct(changeKeyView)
  // A beginning that is typed or linked to is about the list, which also says when it is not valid.
  const isFiltered = prefix !== '' || isBroken
  const part: Part = isFiltered || view?.isTreeShown === false ? 'list' : 'tree'
  const choose = (next: Part) => {
    change({ isTreeShown: next === 'tree' })
    if (next === 'tree' && isFiltered) go({ prefix: '' }, { replace: true })
  }
  return (
    <section
      aria-label="Keys of the database"
      className="flex h-full min-h-0 min-w-0 flex-col overflow-y-auto bg-panel"
    >
      <KeysBar key={database} />
      <SectionBoundary
        details={technicalDetails}
        isPane
        resetKey={`${database} ${prefix}`}
        what="The keys"
      >
        {view && <KeyTreeBar key={database} onPart={choose} part={part} view={view} />}
        {part === 'list' ? <KeyList /> : view && <KeyTree view={view} />}
      </SectionBoundary>
    </section>
  )
}

/** One place for each part in both layouts, so that turning a phone keeps what is open in it. */
function ListAndEntry() {
  const isOneColumn = useOneColumn()
  const { key, isSet } = useKeysAddress()
  const draft = useAtomValue(draftAtom)
  const isEntryOpen = key !== null || draft?.key === null || isSet
  return (
    <div
      className={
        isOneColumn
          ? 'h-full'
          : 'grid h-full grid-cols-[clamp(320px,34%,560px)_minmax(0,1fr)] divide-x divide-line'
      }
    >
      {isOneColumn && isEntryOpen && <h1 className="sr-only">Keys</h1>}
      {(!isOneColumn || !isEntryOpen) && <Keys />}
      {(!isOneColumn || isEntryOpen) && <EntryPane />}
    </div>
  )
}
