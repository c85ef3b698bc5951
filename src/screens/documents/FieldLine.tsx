import { type FieldType, refusalOfField } from '~/immudb/collection'
import { Field } from '~/ui/Field'
import { CloseIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { TypeSelect } from './TypeSelect'

export type Typed = { id: number; name: string; type: FieldType }

type FieldLineProps = {
  field: Typed
  number: number
  onChange: (change: Partial<Typed>) => void
  onRemove: () => void
}

export function FieldLine({ field, number, onChange, onRemove }: FieldLineProps) {
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
