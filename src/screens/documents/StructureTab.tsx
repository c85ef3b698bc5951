import { useAtomValue } from 'jotai'
import { type FormEvent, useState } from 'react'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import { type Collection, type FieldType, indexName, refusalOfField } from '~/immudb/collection'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { Checkbox } from '~/ui/Checkbox'
import { ConfirmDialog } from '~/ui/ConfirmDialog'
import { Field } from '~/ui/Field'
import { SafeName } from '~/ui/SafeText'
import { WriteNote } from '~/ui/WriteNote'
import { useDocumentsAddress } from './address'
import { TypeSelect } from './NewCollection'
import { useCollectionChange } from './use-collection-change'

/** Fields and indexes of a collection, to be added and removed, and its end. */
export function StructureTab({ of }: { of: Collection }) {
  return (
    <div className="grid max-w-[900px] grid-cols-1 gap-6 p-4">
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

function Fields({ of }: { of: Collection }) {
  const [removed, setRemoved] = useState<string | null>(null)
  const reason = useAtomValue(writeRefusalAtom)
  return (
    <section className="grid grid-cols-1 gap-2">
      <h3 className="font-medium">Fields</h3>
      <p className="text-muted text-sm">
        Only declared fields can be searched and indexed. Documents may have others.
      </p>
      <ul aria-label="Fields" className="divide-y divide-line rounded border border-line">
        {of.fields.map(({ name, type }) => {
          const index = of.indexes.find((one) => one.fields.includes(name))
          return (
            <li className="flex min-h-10 items-center gap-3 px-3 py-1" key={name}>
              <span className="min-w-0 grow break-words font-mono [overflow-wrap:anywhere]">
                <SafeName text={name} />
              </span>
              <span className="shrink-0 text-muted text-sm">{type}</span>
              {name === of.idField ? (
                <Badge tone="info">id</Badge>
              ) : (
                <Button
                  aria-label={`Remove the field ${name}`}
                  disabledReason={
                    reason ?? (index && `Remove the index on ${indexName(index)} first.`)
                  }
                  onClick={() => setRemoved(name)}
                  size="small"
                  variant="quiet"
                >
                  Remove…
                </Button>
              )}
            </li>
          )
        })}
      </ul>
      <AddField of={of} />
      {removed !== null && (
        <Remove
          description="Searches can no longer use it. Documents keep what they have under this name."
          name={removed}
          noun="field"
          onClose={() => setRemoved(null)}
          wanted={{ kind: 'remove field', collection: of.name, field: removed }}
        />
      )}
    </section>
  )
}

function AddField({ of }: { of: Collection }) {
  const [name, setName] = useState('')
  const [type, setType] = useState<FieldType>('STRING')
  const reason = useAtomValue(writeRefusalAtom)
  const write = useCollectionChange(() => setName(''))
  const isThere = of.fields.some((field) => field.name === name)
  const problem = isThere ? 'There is a field of this name.' : refusalOfField(name)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (reason ?? problem) return
    write.start({ kind: 'add field', collection: of.name, field: { name, type } })
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
            onChange={setName}
            placeholder="name, or address.city"
            spellCheck={false}
            value={name}
          />
        </div>
        <TypeSelect label="Type of the new field" onChange={setType} value={type} />
        <Button busy={write.isBusy} disabledReason={reason ?? problem} type="submit">
          Add field
        </Button>
      </div>
      <WriteNote notDone="No field was added." onCheck={write.check} state={write.state} />
    </form>
  )
}

function Indexes({ of }: { of: Collection }) {
  const [removed, setRemoved] = useState<readonly string[] | null>(null)
  const reason = useAtomValue(writeRefusalAtom)
  return (
    <section className="grid grid-cols-1 gap-2">
      <h3 className="font-medium">Indexes</h3>
      <ul aria-label="Indexes" className="divide-y divide-line rounded border border-line">
        {of.indexes.map((index) => {
          const name = indexName(index)
          return (
            <li className="flex min-h-10 items-center gap-3 px-3 py-1" key={name}>
              <span className="min-w-0 grow break-words font-mono [overflow-wrap:anywhere]">
                <SafeName text={name} />
              </span>
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
            </li>
          )
        })}
      </ul>
      <AddIndex of={of} />
      {removed !== null && (
        <Remove
          description="Searches by these fields read every document. A unique index no longer keeps values apart. No document changes."
          name={indexName({ fields: removed })}
          noun="index"
          onClose={() => setRemoved(null)}
          wanted={{ kind: 'remove index', collection: of.name, fields: removed }}
        />
      )}
    </section>
  )
}

function AddIndex({ of }: { of: Collection }) {
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [isUnique, setUnique] = useState(false)
  const reason = useAtomValue(writeRefusalAtom)
  const write = useCollectionChange(() => setChosen([]))
  const isThere = of.indexes.some((index) => indexName(index) === indexName({ fields: chosen }))
  const problem =
    chosen.length === 0 ? 'Choose fields first.' : isThere ? 'There is such an index.' : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (reason ?? problem) return
    const index = { fields: chosen, isUnique }
    write.start({ kind: 'add index', collection: of.name, index })
  }
  return (
    <form className="grid gap-2" noValidate onSubmit={submit}>
      <fieldset className="flex flex-wrap gap-x-4 gap-y-1">
        <legend className="pb-1 text-muted text-sm">
          Fields of a new index, in the order in which you choose them
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
        <Checkbox checked={isUnique} label="Unique" onChange={setUnique} />
        <Button busy={write.isBusy} disabledReason={reason ?? problem} type="submit">
          Add index
        </Button>
      </div>
      <WriteNote notDone="No index was added." onCheck={write.check} state={write.state} />
    </form>
  )
}

type RemoveProps = {
  noun: 'field' | 'index'
  name: string
  description: string
  wanted: Parameters<ReturnType<typeof useCollectionChange>['start']>[0]
  onClose: () => void
}

function Remove({ noun, name, description, wanted, onClose }: RemoveProps) {
  const write = useCollectionChange(onClose)
  return (
    <ConfirmDialog
      action={`Remove the ${noun}`}
      busy={write.isBusy}
      description={description}
      onClose={() => !write.isBusy && onClose()}
      onConfirm={() => write.start(wanted)}
      open
      title={
        <>
          Remove the {noun}{' '}
          <span className="font-mono">
            <SafeName text={name} />
          </span>
          ?
        </>
      }
    >
      <WriteNote notDone="Nothing was removed." onCheck={write.check} state={write.state} />
    </ConfirmDialog>
  )
}

function DeleteCollection({ of }: { of: Collection }) {
  const { go } = useDocumentsAddress()
  const [isAsking, setAsking] = useState(false)
  const reason = useAtomValue(writeRefusalAtom)
  const write = useCollectionChange(() => {
    setAsking(false)
    go({ collection: null }, { replace: true })
  })
  return (
    <div>
      <Button disabledReason={reason} onClick={() => setAsking(true)} variant="danger">
        Delete collection…
      </Button>
      {isAsking && (
        <ConfirmDialog
          action="Delete the collection"
          busy={write.isBusy}
          description="All its documents, fields and indexes go with it and cannot be taken back. A new collection of this name begins empty. The transactions stay in the history."
          onClose={() => !write.isBusy && setAsking(false)}
          onConfirm={() => write.start({ kind: 'delete', collection: of.name })}
          open
          title={
            <>
              Delete the collection{' '}
              <span className="font-mono">
                <SafeName text={of.name} />
              </span>
              ?
            </>
          }
          typed={of.name}
        >
          <WriteNote
            notDone="The collection was not deleted."
            onCheck={write.check}
            state={write.state}
          />
        </ConfirmDialog>
      )}
    </div>
  )
}
