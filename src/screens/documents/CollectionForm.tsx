import { useAtomValue } from 'jotai'
import { useState } from 'react'
import {
  changeNewCollection,
  newCollectionAtom,
  newCollectionDrafts,
} from '~/atoms/documents/collection-writes'
import { useAct } from '~/core/act'
import {
  type CollectionField,
  type CollectionIndex,
  type FieldType,
  indexName,
  refusalOfCollection,
  refusalOfField,
  refusalOfIdField,
  refusalOfIndex,
} from '~/immudb/collection'
import { AskDialog } from '~/ui/AskDialog'
import { Button } from '~/ui/Button'
import { Checkbox } from '~/ui/Checkbox'
import { Field } from '~/ui/Field'
import { CloseIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { showToast } from '~/ui/toast'
import { useDocumentsAddress } from './address'
import { TypeSelect } from './TypeSelect'
import { useCollectionChange } from './use-collection-change'

/** The form for a new collection; what is typed is kept until it is created or cancelled. */
export function CollectionForm({ onClose }: { onClose: () => void }) {
  const { go } = useDocumentsAddress()
  useAtomValue(newCollectionDrafts.areBackAtom)
  const { name, idField, fields, indexes } = useAtomValue(newCollectionAtom)
  const change = useAct(changeNewCollection)
  const next = Math.max(0, ...[...fields, ...indexes].map((one) => one.id)) + 1
  const [added, setAdded] = useState<number | null>(null)
  const leave = () => {
    change(null)
    onClose()
  }
  const write = useCollectionChange((text) => {
    showToast({ kind: 'success', text })
    leave()
    go({ collection: name })
  })
  const named = fields.filter((field) => field.name !== '')
  const wanted = indexes.map(indexOf).filter((index) => index.fields.length > 0)
  const ofParts =
    refusalOfIdField(idField) ??
    problemOfFields([{ name: idField, type: 'STRING' }, ...named]) ??
    problemOfIndexes(wanted, [idField, ...named.map((field) => field.name)])
  const problem = refusalOfCollection(name) ?? ofParts
  const create = () => {
    const fieldsToSend = named.map((field) => ({ name: field.name, type: field.type }))
    write.start({ kind: 'create', of: { name, idField, fields: fieldsToSend, indexes: wanted } })
  }
  return (
    <AskDialog
      action="Create"
      description="Declare the fields that you want to search by. Documents may have any other field as well."
      isTyped={name !== '' || fields.length > 0 || indexes.length > 0}
      onAction={create}
      onClose={leave}
      refusal={problem}
      title="Create a collection"
      width="wide"
      write={{ ...write.shown, notDone: 'The collection was not created.' }}
    >
      <div className="grid gap-3">
        <div className="grid gap-3 xs:grid-cols-2">
          <Field
            autoComplete="off"
            error={name === '' ? undefined : refusalOfCollection(name)}
            label="Name"
            mono
            onChange={(typed) => change({ name: typed })}
            spellCheck={false}
            value={name}
          />
          <Field
            autoComplete="off"
            error={refusalOfIdField(idField)}
            hint="The server fills it; no document names its own id."
            label="Field for the ids"
            mono
            onChange={(typed) => change({ idField: typed })}
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
              takesFocus={field.id === added}
              number={at + 1}
              onChange={(part) =>
                change({ fields: fields.map((one) => (one === field ? { ...one, ...part } : one)) })
              }
              onRemove={() => change({ fields: fields.filter((one) => one !== field) })}
            />
          ))}
          <div>
            <Button
              onClick={() => {
                setAdded(next)
                change({ fields: [...fields, { id: next, name: '', type: 'STRING' }] })
              }}
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
              takesFocus={index.id === added}
              number={at + 1}
              onChange={(part) =>
                change({
                  indexes: indexes.map((one) => (one === index ? { ...one, ...part } : one)),
                })
              }
              onRemove={() => change({ indexes: indexes.filter((one) => one !== index) })}
            />
          ))}
          <div>
            <Button
              onClick={() => {
                setAdded(next)
                change({ indexes: [...indexes, { id: next, text: '', isUnique: false }] })
              }}
              size="small"
            >
              Add an index
            </Button>
          </div>
        </fieldset>
        {ofParts !== undefined && (
          <p className="text-muted text-sm" role="status">
            {ofParts}
          </p>
        )}
      </div>
    </AskDialog>
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
    if (missing !== undefined) return `An index names the field ${missing}, which is not declared.`
    const refusal = refusalOfIndex(index)
    if (refusal !== undefined) return refusal
  }
  const names = indexes.map(indexName)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  return twice === undefined ? undefined : `The index on ${twice} is named twice.`
}

type Typed = { id: number; name: string; type: FieldType }

type FieldLineProps = {
  field: Typed
  /** It was just added. */
  takesFocus: boolean
  number: number
  onChange: (change: Partial<Typed>) => void
  onRemove: () => void
}

function FieldLine({ field, takesFocus, number, onChange, onRemove }: FieldLineProps) {
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
          ref={takesFocus ? focus : undefined}
          spellCheck={false}
          value={field.name}
        />
      </div>
      <span className="shrink-0">
        <TypeSelect
          label={`Type of field ${number}`}
          onChange={(type) => onChange({ type })}
          value={field.type}
        />
      </span>
      <IconButton icon={<CloseIcon />} label={`Remove field ${number}`} onClick={onRemove} />
    </div>
  )
}

type TypedIndex = { id: number; text: string; isUnique: boolean }

type IndexLineProps = {
  index: TypedIndex
  /** It was just added. */
  takesFocus: boolean
  number: number
  onChange: (change: Partial<TypedIndex>) => void
  onRemove: () => void
}

function IndexLine({ index, takesFocus, number, onChange, onRemove }: IndexLineProps) {
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
          ref={takesFocus ? focus : undefined}
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

/** One function for all, so that it is called only when the box comes. */
const focus = (box: HTMLInputElement | null) => box?.focus()
