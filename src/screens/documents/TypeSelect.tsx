import { type FieldType, fieldTypes } from '~/immudb/collection'
import { Select } from '~/ui/Select'

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
