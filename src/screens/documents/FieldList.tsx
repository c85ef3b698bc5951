import { useAtomValue } from 'jotai'
import { type FormEvent, useRef, useState } from 'react'
import { newFieldForms } from '~/atoms/documents/structure-drafts'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import { lackingAtom } from '~/core/session/server-version'
import { type Collection, indexName, refusalOfField } from '~/immudb/collection'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { Field } from '~/ui/Field'
import { WriteNote } from '~/ui/WriteNote'
import { useKeptForm } from '../tables/use-kept-form'
import { useDocumentsAddress } from './address'
import { type Changed, ChangedItem, ChangedNote } from './ChangedPart'
import { Remove } from './RemovePart'
import { RenameIdField } from './RenameIdField'
import { TypeSelect } from './TypeSelect'
import { useCollectionChange } from './use-collection-change'

export function Fields({ of }: { of: Collection }) {
  const [removed, setRemoved] = useState<string | null>(null)
  const [isRenaming, setRenaming] = useState(false)
  const [done, setDone] = useState<Changed | null>(null)
  const reason = useAtomValue(writeRefusalAtom)
  const lacks = useAtomValue(lackingAtom)('collectionFields')
  return (
    <section className="grid grid-cols-1 gap-2">
      <h3 className="font-medium">Fields</h3>
      <p className="text-muted text-sm">
        Only declared fields can be searched and indexed. Documents may have others.
      </p>
      <ChangedNote
        done={done}
        names={of.fields.map(({ name }) => name)}
        onClose={() => setDone(null)}
      />
      <ul aria-label="Fields" className="divide-y divide-line rounded border border-line">
        {of.fields.map(({ name, type }) => {
          const index = of.indexes.find((one) => one.fields.includes(name))
          return (
            <ChangedItem done={done} key={name} name={name} onClose={() => setDone(null)}>
              <span className="shrink-0 text-muted text-sm">{type}</span>
              {name === of.idField ? (
                <>
                  <Badge tone="info">id</Badge>
                  <Button
                    aria-label={`Rename the field ${name}`}
                    disabledReason={reason}
                    onClick={() => setRenaming(true)}
                    size="small"
                    variant="quiet"
                  >
                    Rename…
                  </Button>
                </>
              ) : (
                <Button
                  aria-label={`Remove the field ${name}`}
                  disabledReason={
                    lacks ?? reason ?? (index && `Remove the index on ${indexName(index)} first.`)
                  }
                  onClick={() => setRemoved(name)}
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
      <AddField of={of} onDone={setDone} />
      {isRenaming && (
        <RenameIdField
          of={of}
          onClose={() => setRenaming(false)}
          onDone={(made, text) => setDone({ made, text, takesFocus: true })}
        />
      )}
      {removed !== null && (
        <Remove
          description="Searches can no longer use it. Documents keep what they have under this name."
          name={removed}
          noun="field"
          onClose={() => setRemoved(null)}
          onDone={(text) => setDone({ made: null, text, takesFocus: true })}
          wanted={{ kind: 'remove field', collection: of.name, field: removed }}
        />
      )}
    </section>
  )
}

const noField = { name: '', type: 'STRING' } as const

function AddField({ of, onDone }: { of: Collection; onDone: (done: Changed) => void }) {
  const { database } = useDocumentsAddress()
  const [field, setField] = useKeptForm(newFieldForms, noField, database, of.name)
  const { name } = field
  const lacks = useAtomValue(lackingAtom)('collectionFields')
  const refusal = useAtomValue(writeRefusalAtom)
  const reason = lacks ?? refusal
  const nameBox = useRef<HTMLInputElement>(null)
  const write = useCollectionChange((text) => {
    onDone({ made: name, text, takesFocus: false })
    setField(noField)
    // The next one can be typed at once.
    nameBox.current?.focus()
  })
  const isThere = of.fields.some((field) => field.name === name)
  const problem = isThere ? 'There is a field of this name already.' : refusalOfField(name)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (reason ?? problem) return
    write.start({ kind: 'add field', collection: of.name, field })
  }
  return (
    <form className="grid gap-2" noValidate onSubmit={submit}>
      <div className="flex flex-wrap items-start gap-2">
        <div className="min-w-40 grow">
          <Field
            autoComplete="off"
            bare
            error={name === '' ? undefined : problem}
            label="Name of the new field"
            mono
            onChange={(name) => setField({ ...field, name })}
            placeholder="name, or address.city"
            ref={nameBox}
            spellCheck={false}
            value={name}
          />
        </div>
        <TypeSelect
          label="Type of the new field"
          onChange={(type) => setField({ ...field, type })}
          value={field.type}
        />
        <Button busy={write.isBusy} disabledReason={reason ?? problem} type="submit">
          Add field
        </Button>
      </div>
      <p className="text-muted text-sm">
        A search by a new field finds only documents that are written afterwards. To it, those from
        before lack the field, until they are replaced.
      </p>
      <WriteNote {...write.shown} notDone="No field was added." />
    </form>
  )
}
