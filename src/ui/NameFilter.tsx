import { Field } from '~/ui/Field'

type NameFilterProps = { text: string; onChange: (text: string) => void }

/** What a list is filtered by, as it is typed. */
export function NameFilter({ text, onChange }: NameFilterProps) {
  return (
    <div className="w-full xs:w-64">
      <Field
        autoComplete="off"
        bare
        label="Filter by name"
        maxLength={128}
        onChange={onChange}
        placeholder="Filter by name"
        spellCheck={false}
        type="search"
        value={text}
      />
    </div>
  )
}
