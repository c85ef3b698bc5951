import { useAtomValue } from 'jotai'
import type { TypedComparison } from '~/atoms/documents/search-drafts'
import { lackingAtom } from '~/core/session/server-version'
import type { Collection } from '~/immudb/collection'
import { featureOf, type Operator, operators, takes } from '~/immudb/document-query'
import { Button } from '~/ui/Button'
import { Field } from '~/ui/Field'
import { CloseIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { Select } from '~/ui/Select'
import { comparedValues, hintOf, operatorsOf, operatorWord } from './comparison-value'
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
  const { field, operator, text, upTo } = line
  const type = of.fields.find((field) => field.name === line.field)?.type ?? 'STRING'
  const value = comparedValues(of, line)
  const lacks = useAtomValue(lackingAtom)
  const count = takes(operator)
  const isTyped = text !== '' && (count !== 'two' || upTo !== '')
  const offered = operatorsOf(of, field)
  const chooseField = (field: string) => {
    const isOffered = operatorsOf(of, field).includes(operator)
    onChange(isOffered ? { field } : { field, operator: 'EQ' })
  }
  return (
    <div className="flex flex-wrap items-start gap-2">
      <Select
        label={`Field ${name}`}
        onChange={chooseField}
        options={of.fields.map((field) => ({ value: field.name, label: field.name }))}
        value={field}
      />
      <Select
        label={`Operator ${name}`}
        onChange={(next) => {
          const operator = operators.find((one) => one === next)
          if (operator) onChange({ operator })
        }}
        // A link may have one that is not offered for the field.
        options={(offered.includes(operator) ? offered : [...offered, operator]).map((one) => {
          const feature = featureOf(one)
          const detail = feature && lacks(feature)
          const why = detail === undefined ? {} : { detail, disabled: true }
          return { value: one, label: operatorWord(one), ...why }
        })}
        value={operator}
      />
      {count !== 'none' && (
        <div className="order-1 min-w-20 flex-1 basis-full xs:order-none xs:basis-20">
          <Field
            autoComplete="off"
            bare
            error={isTyped && 'problem' in value ? value.problem : undefined}
            hint={hintOf(of, line)}
            label={`Value ${name}`}
            mono
            onChange={(text) => onChange({ text })}
            placeholder={placeholders[operator] ?? hints[type]}
            spellCheck={false}
            value={text}
          />
        </div>
      )}
      {count === 'two' && (
        <>
          <span className="order-1 py-1.5 text-muted text-sm xs:order-none">and</span>
          <div className="order-1 min-w-20 flex-1 basis-20 xs:order-none">
            <Field
              autoComplete="off"
              bare
              label={`Upper value ${name}`}
              mono
              onChange={(upTo) => onChange({ upTo })}
              placeholder={hints[type]}
              spellCheck={false}
              value={upTo}
            />
          </div>
        </>
      )}
      <span className="ms-auto">
        <IconButton icon={<CloseIcon />} label={`Remove comparison ${name}`} onClick={onRemove} />
      </span>
    </div>
  )
}

const placeholders: Readonly<Partial<Record<Operator, string>>> = {
  IN: 'values with commas between them',
  LIKE: 'abc% begins with abc',
  NOT_LIKE: 'abc% begins with abc',
}

const hints = {
  STRING: 'text',
  UUID: 'a UUID',
  INTEGER: '42',
  DOUBLE: '4.2',
  BOOLEAN: 'true or false',
}
