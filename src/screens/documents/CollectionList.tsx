import { useAtomValue, useSetAtom } from 'jotai'
import { describedCollectionsAtom } from '~/atoms/documents/collections'
import { unaskedCollectionAtom } from '~/atoms/documents/session'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import { asOfAtom } from '~/core/history/as-of'
import { failureWords, sentence } from '~/core/session/failure-words'
import { counted } from '~/lib/text'
import { EmptyState } from '~/ui/EmptyState'
import { DocumentIcon } from '~/ui/Icon'
import { PickList } from '~/ui/PickList'
import { SafeName } from '~/ui/SafeText'
import { Sentence } from '~/ui/Sentence'
import { Unanswered } from '~/ui/Unanswered'
import { useDocumentsAddress } from './address'
import { NewCollection } from './NewCollection'

/** The collections of the database. */
export function CollectionList() {
  const { database, collection, go } = useDocumentsAddress()
  const asked = useAtomValue(useAtomValue(describedCollectionsAtom)(database))
  const { data, error } = asked
  const choose = useSetAtom(unaskedCollectionAtom)
  const refusal = useAtomValue(writeRefusalAtom)
  const isPast = useAtomValue(asOfAtom).kind !== 'now'
  if (!data) {
    return (
      <div className="p-3">
        <Unanswered asked={asked} lines={4} words={failureWords} />
      </div>
    )
  }
  if (data.length === 0) {
    return (
      <EmptyState
        action={<NewCollection />}
        icon={<DocumentIcon />}
        refusal={refusal}
        text="Documents are kept in collections, and this database has none."
        title="No collections"
      />
    )
  }
  return (
    <>
      {error && (
        <p className="px-3 py-2 text-sm text-warning" role="status">
          These are the collections as last read. <Sentence text={sentence(error)} />
        </p>
      )}
      {isPast && (
        <p className="px-3 py-2 text-sm text-warning">
          Collections as of now. The server does not list earlier ones.
        </p>
      )}
      <div className="min-h-0 grow">
        <PickList
          count={data.length}
          label="Collections"
          onPick={(index) => {
            choose(null)
            go({ collection: data[index]?.name ?? null })
          }}
          picked={data.findIndex(({ name }) => name === collection)}
          render={(index) => {
            const item = data[index]
            return (
              item && (
                <>
                  <span className="min-w-0 flex-1 truncate font-mono">
                    <SafeName text={item.name} />
                  </span>
                  <span className="shrink-0 text-muted text-xs">
                    {counted(item.fields.length, 'field')}
                  </span>
                </>
              )
            )
          }}
        />
      </div>
    </>
  )
}
