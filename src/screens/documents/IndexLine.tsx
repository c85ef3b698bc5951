import { Checkbox } from '~/ui/Checkbox'
import { Field } from '~/ui/Field'
import { CloseIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'

export type TypedIndex = { id: number; text: string; isUnique: boolean }

type IndexLineProps = {
  index: TypedIndex
  /** It was just added. */
  takesFocus: boolean
  number: number
  onChange: (change: Partial<TypedIndex>) => void
  onRemove: () => void
}

export function IndexLine({ index, takesFocus, number, onChange, onRemove }: IndexLineProps) {
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
