import { type FormEvent, useState } from 'react'
import { isFiltered, noFilter } from '~/atoms/auditlog/filter'
import { auditKinds } from '~/immudb/audit-event'
import { typedTime } from '~/lib/typed-time'
import { Button } from '~/ui/Button'
import { Field } from '~/ui/Field'
import { useSearchParam } from '~/ui/location'
import { Select } from '~/ui/Select'
import { useAuditAddress, writeTime } from './address'
import { kindNames } from './words'

const anything = 'any'
const wrongTime = 'Write a time, such as 2026-11-21 09:00 or 5 minutes ago.'

/** The time that someone typed, in any form, in milliseconds since 1970; null for no time. */
const typed = (text: string) => typedTime(text, 'utc', Date.now())

/** As the address has it, so that “5 minutes ago” stays where it is. */
const written = (text: string) => {
  const ms = typed(text)
  return ms === null ? '' : writeTime(ms)
}

/** Fields are applied together, because every search is read on the server. */
export function FilterForm() {
  const { filter, range, set } = useAuditAddress()
  const [fromText = ''] = useSearchParam('from')
  const [toText = ''] = useSearchParam('to')
  const [user, setUser] = useState(filter.user ?? '')
  const [method, setMethod] = useState(filter.method ?? '')
  const [address, setAddress] = useState(filter.address ?? '')
  const [from, setFrom] = useState(fromText)
  const [to, setTo] = useState(toText)
  const isTurned = () => {
    const [first, last] = [typed(from), typed(to)]
    return first !== null && last !== null && last < first
  }
  const fromError = from.trim() !== '' && typed(from) === null ? wrongTime : undefined
  const toError =
    to.trim() !== '' && typed(to) === null
      ? wrongTime
      : isTurned()
        ? 'This is before the beginning.'
        : undefined
  const apply = (event: FormEvent) => {
    event.preventDefault()
    if (fromError || toError) return
    set({ user, method, address: address.trim(), from: written(from), to: written(to) })
  }
  const isClear = !isFiltered(filter) && range.from === null && range.to === null
  return (
    <form className="mt-1 grid grid-cols-2 items-start gap-2 xs:flex xs:flex-wrap" onSubmit={apply}>
      <TextField label="User" onChange={setUser} value={user} />
      <TextField
        label="Method"
        onChange={setMethod}
        placeholder="Method, like Login"
        value={method}
      />
      <Select
        label="Kind of call"
        onChange={(kind) => set({ kind: kind === anything ? null : kind })}
        options={[
          { value: anything, label: 'All kinds' },
          ...auditKinds.map((kind) => ({ value: kind, label: kindNames[kind] })),
        ]}
        value={filter.kind ?? anything}
      />
      <Select
        label="Outcome"
        onChange={(outcome) => set({ outcome: outcome === anything ? null : outcome })}
        options={[
          { value: anything, label: 'Any outcome' },
          { value: 'succeeded', label: 'Succeeded' },
          { value: 'failed', label: 'Failed' },
        ]}
        value={filter.outcome ?? anything}
      />
      <TextField label="Address" onChange={setAddress} value={address} />
      <TextField error={fromError} label="From, in UTC" onChange={setFrom} value={from} />
      <TextField error={toError} label="To, in UTC" onChange={setTo} value={to} />
      <Button type="submit">Filter</Button>
      {!isClear && (
        <Button onClick={() => set({ ...noFilter, from: null, to: null })} variant="quiet">
          Clear
        </Button>
      )}
    </form>
  )
}

type TextFieldProps = {
  label: string
  /** Where an example helps; otherwise the label stands in the field. */
  placeholder?: string
  value: string
  error?: string | undefined
  onChange: (value: string) => void
}

function TextField({ label, placeholder = label, ...field }: TextFieldProps) {
  return (
    <div className="min-w-0 xs:w-40">
      <Field
        autoComplete="off"
        bare
        label={label}
        placeholder={placeholder}
        spellCheck={false}
        {...field}
      />
    </div>
  )
}
