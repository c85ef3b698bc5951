import { takesLength } from '~/immudb/column-types'
import { counted } from '~/lib/text'
import { beginning, visibleText } from '~/lib/visible-text'
import { type FieldFit, offersFor, offerText } from '~/sql/import-survey'
import { keyType, type NewColumn } from '~/sql/import-target'
import { type FieldRule, fieldRules, importTypes, rulesOf } from '~/sql/import-types'
import { Button } from '~/ui/Button'
import { Checkbox } from '~/ui/Checkbox'
import { Field } from '~/ui/Field'
import { SafeText } from '~/ui/SafeText'
import { Select } from '~/ui/Select'
import { useTypeOptions } from '../use-type-options'
import { type Setup, typesOf } from './setup'

type Props = { setup: Setup; onChange: (setup: Setup) => void }

/** What becomes of each field: a column of the new table, or one of the table that is there. */
export function ColumnChoices({ setup, onChange }: Props) {
  const { source, heads, survey, there } = setup
  const fields = Array.from({ length: source.width }, (_, at) => at)
  return (
    <section aria-labelledby="import-columns">
      <h3 className="pb-1 font-medium" id="import-columns">
        Columns
      </h3>
      {survey !== null && !survey.isWhole && (
        <p className="text-sm text-warning">
          The types fit the first {counted(survey.rows, 'row')}, where you stopped. The check reads
          all.
        </p>
      )}
      <ul className="divide-y divide-line">
        {fields.map((at) => (
          <li
            aria-label={`Field ${nameOf(heads, at)}`}
            className="grid xs:grid-cols-[9rem_1fr] gap-x-4 gap-y-1 py-2"
            key={at}
          >
            <div className="min-w-0 text-sm">
              <p className="truncate font-medium">
                <SafeText text={heads[at] || `Field ${at + 1}`} />
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

/** A field by its name in the file, or by its number, for what is only spoken. */
const nameOf = (heads: Setup['heads'], at: number) => visibleText(heads[at] || String(at + 1))

const exampleLength = 24

/** The first value of a field, to know it by. */
function Example({ at, setup: { records } }: { at: number; setup: Setup }) {
  const value = records.find(({ cells }) => (cells[at] ?? '') !== '')?.cells[at]
  if (value === undefined) return <p className="text-muted">nothing</p>
  return (
    <p className="truncate text-muted">
      <SafeText text={beginning(value, exampleLength)} value />
    </p>
  )
}

type PartProps = Props & { at: number }

function Made({ at, setup, onChange }: PartProps) {
  const { fresh } = setup
  const types = useTypeOptions(importTypes)
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
  const of = `of field ${nameOf(setup.heads, at)}`
  return (
    <div className="min-w-0">
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
        <Checkbox
          checked={isIncluded}
          label="Import"
          onChange={(is) => change({ isIncluded: is })}
        />
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
                if (found) change({ type: { name: found, length: null }, rule: null })
              }}
              options={types}
              value={type.name}
            />
            {takesLength(type.name) && (
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
            <RuleChoice at={at} onChange={(rule) => change({ rule })} setup={setup} />
            <Checkbox checked={fresh.key.includes(at)} label="Primary key" onChange={setKey} />
          </>
        )}
      </div>
      {isIncluded && type.name === 'VARCHAR' && (
        <Offers
          at={at}
          onTake={(fit) => change({ type: { name: fit.type, length: null }, rule: fit.rule })}
          setup={setup}
        />
      )}
    </div>
  )
}

const ruleNames: Readonly<Record<FieldRule, string>> = {
  point: '1,234.5',
  comma: '1.234,5',
  'month-first': '5/19/2006, month first',
  'day-first': '19/5/2006, day first',
}

const ruleWords: Readonly<Record<FieldRule, string>> = {
  point: 'decimal point',
  comma: 'decimal comma',
  'month-first': 'month first',
  'day-first': 'day first',
}

type RuleProps = { at: number; setup: Setup; onChange: (rule: FieldRule | null) => void }

/** How numbers and times of a field are written in the file. */
function RuleChoice({ at, setup, onChange }: RuleProps) {
  const of = typesOf(setup)[at]
  const rules = of ? rulesOf(of.type.name) : []
  if (!of || rules.length === 0) return null
  const plain = of.type.name === 'TIMESTAMP' ? '2006-05-19' : '1234.5'
  return (
    <Select
      label={`Written in field ${nameOf(setup.heads, at)}`}
      onChange={(chosen) => onChange(fieldRules.find((one) => one === chosen) ?? null)}
      options={[
        { value: 'plain', label: plain },
        ...rules.map((value) => ({ value, label: ruleNames[value] })),
      ]}
      value={of.rule ?? 'plain'}
    />
  )
}

type OffersProps = { at: number; setup: Setup; onTake: (fit: FieldFit) => void }

/** Types that a text could have, and what each would write otherwise. */
function Offers({ at, setup: { survey, source, heads }, onTake }: OffersProps) {
  const field = survey?.fields[at]
  const offers = field ? offersFor(field, source.nulls) : []
  return offers.map((fit) => {
    const name = fit.rule === null ? fit.type : `${fit.type}, ${ruleWords[fit.rule]}`
    return (
      <p
        className="flex flex-wrap items-center gap-x-2 pt-1 text-muted text-sm"
        key={`${fit.type}${fit.rule}`}
      >
        <Button
          aria-label={`Use ${name} for field ${nameOf(heads, at)}`}
          onClick={() => onTake(fit)}
          size="small"
        >
          Use {name}
        </Button>
        <span className="min-w-0 [overflow-wrap:anywhere]">
          <SafeText text={offerText(fit, field?.values ?? 0)} value />
        </span>
      </p>
    )
  })
}

/** Digits as a number; null for none. */
function lengthIn(text: string): number | null {
  const digits = text.replace(/\D/g, '').slice(0, 8)
  return digits === '' || Number(digits) === 0 ? null : Number(digits)
}

/** No column has this name. */
const none = ' none'

function Mapped({ at, setup, onChange }: PartProps) {
  const { there, mapping, rules, heads } = setup
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
    <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
      <div className="w-72 max-w-full">
        <Select
          label={`Column of field ${nameOf(heads, at)}`}
          onChange={choose}
          options={options}
          value={mapping[at] ?? none}
          wide
        />
      </div>
      <RuleChoice
        at={at}
        onChange={(rule) =>
          onChange({ ...setup, rules: rules.map((one, place) => (place === at ? rule : one)) })
        }
        setup={setup}
      />
    </div>
  )
}
