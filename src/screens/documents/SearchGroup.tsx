import type { TypedComparison } from '~/atoms/documents/search-drafts'
import type { Collection } from '~/immudb/collection'
import { type Operator, operators } from '~/immudb/document-query'
import { Button } from '~/ui/Button'
import { Checkbox } from '~/ui/Checkbox'
import { Field } from '~/ui/Field'
import { CloseIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { Select } from '~/ui/Select'
import { comparisonOperators as words } from '~/words/comparison-operators'
import { comparedValue, hintOf } from './comparison-value'
import { type Group, newLine } from './use-search-form'

type GroupProps = {
  of: Collection
  group: Group
  number: number
  isAlone: boolean
  onChange: (lines: readonly TypedComparison[]) => void
  onRemove: () => void
}

/** Comparisons that must all hold. */
export function GroupFields({ of, group, number, isAlone, onChange, onRemove }: GroupProps) {
  const { lines } = group
  const next = Math.max(-1, ...lines.map(({ id }) => id)) + 1
  const legend = number === 1 ? (isAlone ? 'Where' : 'Either') : 'Or'
  return (
    <fieldset className="grid min-w-0 grid-cols-1 gap-2 rounded border border-line px-3 pt-1 pb-3">
      <legend className="px-1 text-muted text-sm">{legend}</legend>
      {lines.map((line, at) => (
        <Line
          key={line.id}
          line={line}
          name={`${number}.${at + 1}`}
          of={of}
          onChange={(change) =>
            onChange(lines.map((one) => (one === line ? { ...one, ...change } : one)))
          }
          onRemove={() =>
            lines.length === 1 ? onRemove() : onChange(lines.filter((one) => one !== line))
          }
        />
      ))}
      <div>
        <Button
          onClick={() => {
            onChange([...lines, newLine(of, next)])
          }}
          size="small"
          variant="quiet"
        >
          And…
        </Button>
      </div>
    </fieldset>
  )
}

type LineProps = {
  of: Collection
  line: TypedComparison
  name: string
  onChange: (change: Partial<TypedComparison>) => void
  onRemove: () => void
}

function Line({ of, line, name, onChange, onRemove }: LineProps) {
  const type = of.fields.find((field) => field.name === line.field)?.type ?? 'STRING'
  const value = comparedValue(of, line)
  return (
    <div className="flex flex-wrap items-start gap-2">
      <Select
        label={`Field ${name}`}
        onChange={(field) => onChange({ field })}
        options={of.fields.map((field) => ({ value: field.name, label: field.name }))}
        value={line.field}
      />
      <Select
        label={`Operator ${name}`}
        onChange={(next) => {
          const operator = operators.find((one) => one === next)
          if (operator) onChange({ operator })
        }}
        options={operators.map((one) => ({ value: one, label: labels[one] }))}
        value={line.operator}
      />
      <div className="min-w-32 grow">
        <Field
          autoComplete="off"
          bare
          disabled={line.isNull}
          error={line.text !== '' && 'problem' in value ? value.problem : undefined}
          hint={hintOf(of, line)}
          label={`Value ${name}`}
          mono
          onChange={(text) => onChange({ text })}
          placeholder={line.isNull ? 'null' : hints[type]}
          spellCheck={false}
          value={line.isNull ? '' : line.text}
        />
      </div>
      <Checkbox checked={line.isNull} label="null" onChange={(isNull) => onChange({ isNull })} />
      <IconButton icon={<CloseIcon />} label={`Remove comparison ${name}`} onClick={onRemove} />
    </div>
  )
}

const hints = {
  STRING: 'text; % in LIKE',
  UUID: 'a UUID',
  INTEGER: '42',
  DOUBLE: '4.2',
  BOOLEAN: 'true or false',
}

const labels: Readonly<Record<Operator, string>> = {
  EQ: words.equal,
  NE: words['not equal'],
  LT: words.less,
  LE: words['less or equal'],
  GT: words.greater,
  GE: words['greater or equal'],
  LIKE: words.like,
  NOT_LIKE: words['not like'],
}
