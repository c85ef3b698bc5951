import { type FieldType, refusalOfField } from '~/immudb/collection'
import { Field } from '~/ui/Field'
import { CloseIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { TypeSelect } from './TypeSelect'

export type Typed = { id: number; name: string; type: FieldType }

type FieldLineProps = {
  field: Typed
  /** It was just added. */
  takesFocus: boolean
  number: number
  onChange: (change: Partial<Typed>) => void
  onRemove: () => void
}

export function FieldLine({ field, takesFocus, number, onChange, onRemove }: FieldLineProps) {
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

/** One function for all, so that it is called only when the box comes. */
const focus = (box: HTMLInputElement | null) => box?.focus()
