import { useAtomValue } from 'jotai'
import { technicalDetails } from '~/atoms/failure'
import { areDraftsBackAtom } from '~/atoms/kept-key-drafts'
import { draftAtom } from '~/atoms/key-drafts'
import { databaseAtom } from '~/atoms/session'
import { EmptyState } from '~/ui/EmptyState'
import { KeyIcon } from '~/ui/Icon'
import { Part } from '~/ui/Part'
import { useNarrow } from '~/ui/use-narrow'
import { useKeysAddress } from './address'
import { EntryPane } from './EntryPane'
import { KeyList } from './KeyList'
import { KeysBar } from './KeysBar'

/** Keys on the left, the one that is open on the right; one at a time on a phone. */
export default function KeysScreen() {
  const hasDatabase = useAtomValue(databaseAtom) !== null
  const isNarrow = useNarrow()
  useAtomValue(areDraftsBackAtom)
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
  return isNarrow ? <NarrowKeys /> : <WideKeys />
}

function Keys() {
  const { database, prefix } = useKeysAddress()
  return (
    <section
      aria-label="Keys of the database"
      className="flex h-full min-h-0 min-w-0 flex-col bg-panel"
    >
      <KeysBar key={database} />
      <Part details={technicalDetails} isPane resetKey={`${database} ${prefix}`} what="The keys">
        <KeyList />
      </Part>
    </section>
  )
}

function WideKeys() {
  return (
    <div className="grid h-full grid-cols-[clamp(280px,34%,560px)_minmax(0,1fr)] divide-x divide-line">
      <Keys />
      <EntryPane />
    </div>
  )
}

function NarrowKeys() {
  const { key } = useKeysAddress()
  const draft = useAtomValue(draftAtom)
  if (key === null && draft?.key !== null) return <Keys />
  return (
    <>
      <h1 className="sr-only">Keys</h1>
      <EntryPane />
    </>
  )
}
