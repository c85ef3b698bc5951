import { memo } from 'react'
import { reasonAgainstShowing } from '~/atoms/keys/edit-draft'
import {
  conditionKinds,
  type OperationDraft,
  operationKinds,
  readOperation,
} from '~/atoms/keys/operation-drafts'
import { type ByteFormat, byteFormats, parseBytes, writeBytes } from '~/lib/byte-formats'
import { numberFormats } from '~/lib/number-formats'
import { Field } from '~/ui/Field'
import { FormatChoice } from '~/ui/FormatChoice'
import { TrashIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { Select } from '~/ui/Select'
import { TextArea } from '~/ui/TextArea'
import { TypedField } from './TypedField'

const kindNames: Readonly<Record<OperationDraft['kind'], string>> = {
  set: 'Set a key',
  reference: 'Set a reference',
  zadd: 'Add to a sorted set',
}
const conditionNames: Readonly<Record<OperationDraft['condition'], string>> = {
  none: 'No condition',
  'must-exist': 'The key must exist',
  'must-not-exist': 'The key must not exist',
  'not-modified-after': 'Not modified since a transaction',
}

type Props = {
  draft: OperationDraft
  /** Its place, from one. */
  number: number
  /** Errors of fields that are still empty are said too. */
  isTried: boolean
  /** Why nothing can be changed at present. */
  fixed: string | undefined
  /** These are told the place from zero, and stay the same, so that only what changed is drawn. */
  onChange: (at: number, draft: OperationDraft) => void
  onRemove: (at: number) => void
}

/** One operation of a transaction, as it is typed. */
export const OperationFields = memo((props: Props) => {
  const { draft, number, isTried, fixed, onChange, onRemove } = props
  const change = (part: Partial<OperationDraft>) => onChange(number - 1, { ...draft, ...part })
  const { errors } = readOperation(draft)
  const bytes = (name: 'key' | 'target' | 'set', label: string, hint?: string) => (
    <TypedField
      error={isTried || draft[name].text !== '' ? errors[name] : null}
      fixed={fixed}
      formatLabel={`Format of “${label}” of operation ${number}`}
      hint={hint}
      label={label}
      onChange={(typed) => change({ [name]: typed })}
      typed={draft[name]}
    />
  )
  return (
    <fieldset className="grid gap-2 rounded border border-line px-3 pt-1 pb-3">
      <legend className="px-1 font-medium text-sm">Operation {number}</legend>
      <div className="flex items-center gap-2">
        <Select
          disabledReason={fixed}
          label={`Kind of operation ${number}`}
          onChange={(kind) => {
            const found = operationKinds.find((one) => one === kind)
            if (found) change({ kind: found })
          }}
          options={operationKinds.map((value) => ({ value, label: kindNames[value] }))}
          size="small"
          value={draft.kind}
        />
        <span className="ms-auto">
          <IconButton
            disabledReason={fixed}
            icon={<TrashIcon />}
            label={`Remove operation ${number}`}
            onClick={() => onRemove(number - 1)}
            size="small"
          />
        </span>
      </div>
      {draft.kind === 'zadd' && bytes('set', 'Set')}
      {draft.kind === 'zadd' && (
        <PlainField
          error={errors.score}
          fixed={fixed}
          hint="A double. Negative scores are stored behind the others."
          label="Score"
          onChange={(score) => change({ score })}
          value={draft.score}
        />
      )}
      {bytes('key', 'Key', draft.kind === 'zadd' ? 'The key that is added to the set.' : undefined)}
      {draft.kind === 'reference' && bytes('target', 'Refers to')}
      {draft.kind === 'set' && (
        <>
          <ValueFields {...props} change={change} error={errors.value} />
          <PlainField
            error={errors.expiry}
            fixed={fixed}
            hint="Empty for no expiry. A time, such as 2030-12-31 23:59, 31 Dec 2030 or in 5 minutes."
            label="Expires at (UTC)"
            onChange={(expiry) => change({ expiry })}
            value={draft.expiry}
          />
        </>
      )}
      {draft.kind !== 'set' && (
        <PlainField
          error={errors.atTx}
          fixed={fixed}
          hint="Leave it empty for the newest value."
          label="Bound to transaction"
          onChange={(atTx) => change({ atTx })}
          value={draft.atTx}
        />
      )}
      <Select
        disabledReason={fixed}
        label={`Condition of operation ${number}`}
        onChange={(next) => {
          const condition = conditionKinds.find((one) => one === next)
          if (condition) change({ condition })
        }}
        options={conditionKinds.map((value) => ({ value, label: conditionNames[value] }))}
        size="small"
        value={draft.condition}
      />
      {draft.condition === 'not-modified-after' && (
        <PlainField
          error={isTried || draft.conditionTx !== '' ? errors.conditionTx : undefined}
          fixed={fixed}
          hint="The number of the last transaction that may have written the key."
          label="Not modified since transaction"
          onChange={(conditionTx) => change({ conditionTx })}
          value={draft.conditionTx}
        />
      )}
    </fieldset>
  )
})

type PlainProps = {
  label: string
  value: string
  hint: string
  error: string | undefined
  fixed: string | undefined
  onChange: (text: string) => void
}

function PlainField({ fixed, ...field }: PlainProps) {
  return (
    <Field
      {...field}
      autoComplete="off"
      inputMode="text"
      mono
      readOnly={fixed !== undefined}
      spellCheck={false}
    />
  )
}

type ValueProps = Omit<Props, 'onChange' | 'onRemove'> & {
  error: string | undefined
  change: (part: Pick<OperationDraft, 'value'>) => void
}

function ValueFields({ draft, number, isTried, fixed, error, change }: ValueProps) {
  const { value } = draft
  const setFormat = (format: ByteFormat) => {
    const parsed = parseBytes(value.text, value.format)
    const text = 'bytes' in parsed ? writeBytes(parsed.bytes, format) : null
    change({ value: { format, text: text ?? value.text } })
  }
  return (
    <div>
      <TextArea
        autoComplete="off"
        error={isTried || value.text !== '' ? error : undefined}
        exact
        label="Value"
        mono
        onChange={(text) => change({ value: { ...value, text } })}
        readOnly={fixed !== undefined}
        rows={3}
        value={value.text}
      />
      <FormatChoice
        formats={byteFormats}
        label={`Format of the value of operation ${number}`}
        more={numberFormats}
        onChange={setFormat}
        reasonAgainst={(format) => fixed ?? reasonAgainstShowing(value, format)}
        value={value.format}
      />
    </div>
  )
}
