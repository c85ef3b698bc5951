import { useAtomValue } from 'jotai'
import { asOfAtom } from '~/core/history/as-of'
import type { Collection } from '~/immudb/collection'
import { DeleteCollection } from './DeleteCollection'
import { Fields } from './FieldList'
import { Indexes } from './IndexList'

/** Fields and indexes of a collection, to be added and removed, and its end. */
export function StructureTab({ of }: { of: Collection }) {
  const isPast = useAtomValue(asOfAtom).kind !== 'now'
  return (
    <div className="grid max-w-[900px] grid-cols-1 gap-6 p-4">
      {isPast && (
        <p className="text-sm text-warning">
          The server describes collections only as they are now. This is not what {of.name} was
          then.
        </p>
      )}
      <Fields of={of} />
      <Indexes of={of} />
      <section className="grid gap-2">
        <h3 className="font-medium">Delete the collection</h3>
        <p className="text-muted text-sm">
          Its documents are no longer listed, searched or opened by their ids. The transactions that
          wrote them stay in the history, and their hashes can still be proven.
        </p>
        <DeleteCollection of={of} />
      </section>
    </div>
  )
}
