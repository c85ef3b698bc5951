import { beginning } from '~/lib/visible-text'
import { keyType, type NewColumn } from '~/sql/import-target'
import { hasLength, importTypes } from '~/sql/import-types'
import { Checkbox } from '~/ui/Checkbox'
import { Field } from '~/ui/Field'
import { SafeText } from '~/ui/SafeText'
import { Select } from '~/ui/Select'
import type { Setup } from './setup'

type Props = { setup: Setup; onChange: (setup: Setup) => void }

/** What becomes of each field: a column of the new table, or one of the table that is there. */
export function ColumnChoices({ setup, onChange }: Props) {
  const { source, heads, there } = setup
  const fields = Array.from({ length: source.width }, (_, at) => at)
  return (
    <section aria-labelledby="import-columns">
      <h3 className="pb-1 font-medium" id="import-columns">
        Columns
      </h3>
      <ul className="divide-y divide-line">
        {fields.map((at) => (
          <li
            aria-label={`Field ${heads[at] ?? at + 1}`}
            className="grid xs:grid-cols-[9rem_1fr] gap-x-4 gap-y-1 py-2"
            key={at}
          >
            <div className="min-w-0 text-sm">
              <p className="truncate font-medium">
                <SafeText text={heads[at] ?? `Field ${at + 1}`} />
              </p>
              <Example at={at} setup={setup} />
            </div>
            {there ? (
              <Mapped at={at} onChange={onChange} setup={setup} />
            ) : (
              <Made at={at} onChange={onChange} setup={setup} />
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

const exampleLength = 24

/** The first value of a field, to know it by. */
function Example({ at, setup: { records } }: { at: number; setup: Setup }) {
  const value = records.find(({ cells }) => (cells[at] ?? null) !== null)?.cells[at]
  if (value === undefined || value === null) return <p className="text-muted">only NULL</p>
  return (
    <p className="truncate text-muted">
      <SafeText text={beginning(value, exampleLength)} value />
    </p>
  )
}

type PartProps = Props & { at: number }

function Made({ at, setup, onChange }: PartProps) {
  const { fresh } = setup
  const column = fresh.columns[at]
  if (!column) return null
  const { name, type, isIncluded } = column
  const change = (changed: Partial<NewColumn>) => {
    const columns = fresh.columns.map((one, place) => (place === at ? { ...one, ...changed } : one))
    onChange({ ...setup, fresh: { ...fresh, columns } })
  }
  const setKey = (is: boolean) => {
    const key = is
      ? [...fresh.key, at].sort((a, b) => a - b)
      : fresh.key.filter((one) => one !== at)
    const columns = fresh.columns.map((one, place) =>
      place === at && is ? { ...one, type: keyType(one.type) } : one,
    )
    onChange({ ...setup, fresh: { ...fresh, key, columns } })
  }
  const of = `of field ${setup.heads[at] ?? at + 1}`
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
      <Checkbox checked={isIncluded} label="Import" onChange={(is) => change({ isIncluded: is })} />
      {isIncluded && (
        <>
          <div className="w-44">
            <Field
              autoCapitalize="none"
              autoComplete="off"
              bare
              label={`Column ${of}`}
              mono
              onChange={(text) => change({ name: text })}
              spellCheck={false}
              value={name}
            />
          </div>
          <Select
            label={`Type ${of}`}
            onChange={(chosen) => {
              const found = importTypes.find((one) => one === chosen)
              if (found) change({ type: { name: found, length: null } })
            }}
            options={importTypes.map((value) => ({ value, label: value }))}
            value={type.name}
          />
          {hasLength(type.name) && (
            <div className="w-28">
              <Field
                autoComplete="off"
                bare
                inputMode="numeric"
                label={`Most bytes ${of}`}
                onChange={(text) => change({ type: { ...type, length: lengthIn(text) } })}
                placeholder="no limit"
                trailing={<span className="pe-2 text-muted text-xs">bytes</span>}
                value={type.length === null ? '' : String(type.length)}
              />
            </div>
          )}
          <Checkbox checked={fresh.key.includes(at)} label="Primary key" onChange={setKey} />
        </>
      )}
    </div>
  )
}

/** Digits as a number; null for none. */
function lengthIn(text: string): number | null {
  const digits = text.replace(/\D/g, '').slice(0, 8)
  return digits === '' || Number(digits) === 0 ? null : Number(digits)
}

/** No column has this name. */
const none = ' none'

function Mapped({ at, setup, onChange }: PartProps) {
  const { there, mapping, heads } = setup
  const options = [
    { value: none, label: 'Not imported' },
    ...(there?.columns ?? []).map(({ name, type, isPrimaryKey }) => ({
      value: name,
      label: name,
      detail: isPrimaryKey ? `${type}, primary key` : type,
    })),
  ]
  const choose = (name: string) =>
    onChange({
      ...setup,
      mapping: mapping.map((one, place) => (place === at ? (name === none ? null : name) : one)),
    })
  return (
    <div className="max-w-72">
      <Select
        label={`Column of field ${heads[at] ?? at + 1}`}
        onChange={choose}
        options={options}
        value={mapping[at] ?? none}
        wide
      />
    </div>
  )
}
