import { useAtomValue } from 'jotai'
import { type FormEvent, useId, useState } from 'react'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import {
  type CollectionField,
  type CollectionIndex,
  defaultIdField,
  type FieldType,
  fieldTypes,
  indexName,
  refusalOfCollection,
  refusalOfField,
} from '~/immudb/collection'
import { Button } from '~/ui/Button'
import { Checkbox } from '~/ui/Checkbox'
import { Dialog } from '~/ui/Dialog'
import { Field } from '~/ui/Field'
import { CloseIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { Select } from '~/ui/Select'
import { WriteNote } from '~/ui/WriteNote'
import { useDocumentsAddress } from './address'
import { useCollectionChange } from './use-collection-change'

/** Opens the form for a new collection. */
export function NewCollection({ isSmall = false }: { isSmall?: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const reason = useAtomValue(writeRefusalAtom)
  return (
    <>
      <Button
        disabledReason={reason}
        onClick={() => setOpen(true)}
        size={isSmall ? 'small' : 'normal'}
      >
        New collection
      </Button>
      {isOpen && <Form onClose={() => setOpen(false)} />}
    </>
  )
}

type Typed = { id: number; name: string; type: FieldType }
type TypedIndex = { id: number; text: string; isUnique: boolean }

function Form({ onClose }: { onClose: () => void }) {
  const { go } = useDocumentsAddress()
  const [name, setName] = useState('')
  const [idField, setIdField] = useState(defaultIdField)
  const [fields, setFields] = useState<readonly Typed[]>([])
  const [indexes, setIndexes] = useState<readonly TypedIndex[]>([])
  const [next, setNext] = useState(1)
  const id = useId()
  const write = useCollectionChange(() => {
    onClose()
    go({ collection: name })
  })
  const named = fields.filter((field) => field.name !== '')
  const wanted = indexes.map(indexOf).filter((index) => index.fields.length > 0)
  const problem =
    refusalOfCollection(name) ??
    refusalOfField(idField) ??
    problemOfFields([{ name: idField, type: 'STRING' }, ...named]) ??
    problemOfIndexes(wanted, [idField, ...named.map((field) => field.name)])
  const isBusy = write.isBusy
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (problem !== undefined) return
    const fieldsToSend = named.map((field) => ({ name: field.name, type: field.type }))
    write.start({ kind: 'create', of: { name, idField, fields: fieldsToSend, indexes: wanted } })
  }
  const add = <T,>(to: readonly T[], one: T) => {
    setNext(next + 1)
    return [...to, one]
  }
  return (
    <Dialog
      description="Declare the fields that you want to search by. Documents may have any other field as well."
      footer={
        <>
          <Button disabledReason={isBusy ? 'It is being created.' : undefined} onClick={onClose}>
            Cancel
          </Button>
          <Button busy={isBusy} disabledReason={problem} form={id} type="submit" variant="primary">
            Create
          </Button>
        </>
      }
      onClose={onClose}
      open
      persistent={isBusy || name !== '' || fields.length > 0}
      title="Create a collection"
      width="wide"
    >
      <form className="grid gap-3" id={id} noValidate onSubmit={submit}>
        <div className="grid gap-3 xs:grid-cols-2">
          <Field
            autoComplete="off"
            error={name === '' ? undefined : refusalOfCollection(name)}
            label="Name"
            mono
            onChange={setName}
            spellCheck={false}
            value={name}
          />
          <Field
            autoComplete="off"
            error={refusalOfField(idField)}
            hint="The server fills it; no document names its own id."
            label="Field for the ids"
            mono
            onChange={setIdField}
            spellCheck={false}
            value={idField}
          />
        </div>
        <fieldset className="grid gap-2">
          <legend className="pb-1 font-medium text-sm">Fields</legend>
          {fields.map((field, at) => (
            <FieldLine
              field={field}
              key={field.id}
              number={at + 1}
              onChange={(change) =>
                setFields(fields.map((one) => (one === field ? { ...one, ...change } : one)))
              }
              onRemove={() => setFields(fields.filter((one) => one !== field))}
            />
          ))}
          <div>
            <Button
              onClick={() => setFields(add(fields, { id: next, name: '', type: 'STRING' }))}
              size="small"
            >
              Add a field
            </Button>
          </div>
        </fieldset>
        <fieldset className="grid gap-2">
          <legend className="pb-1 font-medium text-sm">Indexes</legend>
          {indexes.map((index, at) => (
            <IndexLine
              index={index}
              key={index.id}
              number={at + 1}
              onChange={(change) =>
                setIndexes(indexes.map((one) => (one === index ? { ...one, ...change } : one)))
              }
              onRemove={() => setIndexes(indexes.filter((one) => one !== index))}
            />
          ))}
          <div>
            <Button
              onClick={() => setIndexes(add(indexes, { id: next, text: '', isUnique: false }))}
              size="small"
            >
              Add an index
            </Button>
          </div>
        </fieldset>
        {name !== '' && problem !== undefined && (
          <p className="text-muted text-sm" role="status">
            {problem}
          </p>
        )}
        <WriteNote
          notDone="The collection was not created."
          onCheck={write.check}
          state={write.state}
        />
      </form>
    </Dialog>
  )
}

function indexOf({ text, isUnique }: TypedIndex): CollectionIndex {
  const fields = text.split(',').map((field) => field.trim())
  return { fields: fields.filter((field) => field !== ''), isUnique }
}

function problemOfFields(fields: readonly CollectionField[]): string | undefined {
  const names = fields.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) return `The field ${twice} is named twice.`
  return names.map(refusalOfField).find((refusal) => refusal !== undefined)
}

function problemOfIndexes(
  indexes: readonly CollectionIndex[],
  fields: readonly string[],
): string | undefined {
  for (const index of indexes) {
    const missing = index.fields.find((field) => !fields.includes(field))
    if (missing !== undefined) return `No field ${missing} is declared, which an index names.`
  }
  const names = indexes.map(indexName)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  return twice === undefined ? undefined : `The index on ${twice} is named twice.`
}

type FieldLineProps = {
  field: Typed
  number: number
  onChange: (change: Partial<Typed>) => void
  onRemove: () => void
}

function FieldLine({ field, number, onChange, onRemove }: FieldLineProps) {
  return (
    <div className="flex items-start gap-2">
      <div className="min-w-0 grow">
        <Field
          autoComplete="off"
          bare
          error={field.name === '' ? undefined : refusalOfField(field.name)}
          label={`Name of field ${number}`}
          mono
          onChange={(name) => onChange({ name })}
          placeholder="name, or address.city"
          spellCheck={false}
          value={field.name}
        />
      </div>
      <TypeSelect
        label={`Type of field ${number}`}
        onChange={(type) => onChange({ type })}
        value={field.type}
      />
      <IconButton icon={<CloseIcon />} label={`Remove field ${number}`} onClick={onRemove} />
    </div>
  )
}

type TypeSelectProps = { label: string; value: FieldType; onChange: (type: FieldType) => void }

/** Chooses the type of a field. */
export function TypeSelect({ label, value, onChange }: TypeSelectProps) {
  return (
    <Select
      label={label}
      onChange={(next) => {
        const type = fieldTypes.find((one) => one === next)
        if (type) onChange(type)
      }}
      options={fieldTypes.map((type) => ({ value: type, label: type }))}
      value={value}
    />
  )
}

type IndexLineProps = {
  index: TypedIndex
  number: number
  onChange: (change: Partial<TypedIndex>) => void
  onRemove: () => void
}

function IndexLine({ index, number, onChange, onRemove }: IndexLineProps) {
  return (
    <div className="flex items-start gap-2">
      <div className="min-w-0 grow">
        <Field
          autoComplete="off"
          bare
          label={`Fields of index ${number}`}
          mono
          onChange={(text) => onChange({ text })}
          placeholder="country, city"
          spellCheck={false}
          value={index.text}
        />
      </div>
      <Checkbox
        checked={index.isUnique}
        label="Unique"
        onChange={(isUnique) => onChange({ isUnique })}
      />
      <IconButton icon={<CloseIcon />} label={`Remove index ${number}`} onClick={onRemove} />
    </div>
  )
}
