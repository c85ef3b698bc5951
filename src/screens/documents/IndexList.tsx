import { useAtomValue } from 'jotai'
import { type FormEvent, useState } from 'react'
import { newIndexForms } from '~/atoms/documents/structure-drafts'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import { type Collection, indexName, refusalOfIndex } from '~/immudb/collection'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { Checkbox } from '~/ui/Checkbox'
import { WriteNote } from '~/ui/WriteNote'
import { useKeptForm } from '../tables/use-kept-form'
import { useDocumentsAddress } from './address'
import { type Changed, ChangedItem, ChangedNote } from './ChangedPart'
import { Remove } from './RemovePart'
import { useCollectionChange } from './use-collection-change'

export function Indexes({ of }: { of: Collection }) {
  const [removed, setRemoved] = useState<readonly string[] | null>(null)
  const [done, setDone] = useState<Changed | null>(null)
  const reason = useAtomValue(writeRefusalAtom)
  return (
    <section className="grid grid-cols-1 gap-2">
      <h3 className="font-medium">Indexes</h3>
      <ChangedNote done={done} names={of.indexes.map(indexName)} onClose={() => setDone(null)} />
      <ul aria-label="Indexes" className="divide-y divide-line rounded border border-line">
        {of.indexes.map((index) => {
          const name = indexName(index)
          return (
            <ChangedItem done={done} key={name} name={name} onClose={() => setDone(null)}>
              {index.isUnique && <Badge tone="info">unique</Badge>}
              {name !== of.idField && (
                <Button
                  aria-label={`Remove the index on ${name}`}
                  disabledReason={reason}
                  onClick={() => setRemoved(index.fields)}
                  size="small"
                  variant="quiet"
                >
                  Remove…
                </Button>
              )}
            </ChangedItem>
          )
        })}
      </ul>
      <AddIndex of={of} onDone={setDone} />
      {removed !== null && (
        <Remove
          description="Searches by these fields read every document. A unique index no longer keeps values apart. No document changes."
          name={indexName({ fields: removed })}
          noun="index"
          onClose={() => setRemoved(null)}
          onDone={(text) => setDone({ made: null, text, takesFocus: true })}
          wanted={{ kind: 'remove index', collection: of.name, fields: removed }}
        />
      )}
    </section>
  )
}

const noIndex = { fields: [], isUnique: false }

function AddIndex({ of, onDone }: { of: Collection; onDone: (done: Changed) => void }) {
  const { database } = useDocumentsAddress()
  const [index, setIndex] = useKeptForm(newIndexForms, noIndex, database, of.name)
  const { isUnique } = index
  // A field may be gone since it was chosen.
  const chosen = index.fields.filter((field) => of.fields.some(({ name }) => name === field))
  const setChosen = (fields: string[]) => setIndex({ fields, isUnique })
  const reason = useAtomValue(writeRefusalAtom)
  const write = useCollectionChange((text) => {
    onDone({ made: indexName({ fields: chosen }), text, takesFocus: true })
    setIndex(noIndex)
  })
  const isThere = of.indexes.some((index) => indexName(index) === indexName({ fields: chosen }))
  const problem =
    chosen.length === 0
      ? 'Choose fields first.'
      : isThere
        ? 'There is such an index already.'
        : refusalOfIndex({ fields: chosen })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (reason ?? problem) return
    write.start({ kind: 'add index', collection: of.name, index: { fields: chosen, isUnique } })
  }
  return (
    <form className="grid gap-2" noValidate onSubmit={submit}>
      <fieldset className="flex flex-wrap gap-x-4 gap-y-1">
        <legend className="pb-1 text-muted text-sm">
          Fields of the index, in the order chosen
        </legend>
        {of.fields
          .filter(({ name }) => name !== of.idField)
          .map(({ name }) => {
            const at = chosen.indexOf(name)
            return (
              <Checkbox
                checked={at >= 0}
                key={name}
                label={at < 0 || chosen.length === 1 ? name : `${name} (${at + 1})`}
                onChange={(isOn) =>
                  setChosen(isOn ? [...chosen, name] : chosen.filter((one) => one !== name))
                }
              />
            )
          })}
      </fieldset>
      <div className="flex flex-wrap items-center gap-3">
        <Checkbox
          checked={isUnique}
          label="Unique"
          onChange={(isOn) => setIndex({ fields: chosen, isUnique: isOn })}
        />
        <Button busy={write.isBusy} disabledReason={reason ?? problem} type="submit">
          Add index
        </Button>
      </div>
      {isUnique && (
        <p className="text-muted text-sm">
          immudb adds a unique index only to a collection that never had a document.
        </p>
      )}
      <WriteNote {...write.shown} notDone="No index was added." />
    </form>
  )
}
