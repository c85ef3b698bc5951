import { type FormEvent, type ReactNode, useState } from 'react'
import { isFiltered, noFilter } from '~/atoms/auditlog/filter'
import { auditKinds } from '~/immudb/audit-event'
import { Button } from '~/ui/Button'
import { Field } from '~/ui/Field'
import { useSearchParam } from '~/ui/location'
import { Select } from '~/ui/Select'
import { timeOf, useAuditAddress } from './address'
import { kindNames } from './words'

const anything = 'any'
const wrongTime = 'Write a time in UTC, such as 2026-11-21 09:00.'

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
    const [first, last] = [timeOf(from), timeOf(to)]
    return first !== null && last !== null && last < first
  }
  const fromError = from !== '' && timeOf(from) === null ? wrongTime : undefined
  const toError =
    to !== '' && timeOf(to) === null
      ? wrongTime
      : isTurned()
        ? 'This is before the beginning.'
        : undefined
  const apply = (event: FormEvent) => {
    event.preventDefault()
    if (fromError || toError) return
    set({ user, method, address: address.trim(), from: from.trim(), to: to.trim() })
  }
  const isClear = !isFiltered(filter) && range.from === null && range.to === null
  return (
    <form className="mt-1 grid grid-cols-2 items-start gap-2 xs:flex xs:flex-wrap" onSubmit={apply}>
      <Box>
        <Field
          autoComplete="off"
          bare
          label="User"
          onChange={setUser}
          placeholder="User"
          spellCheck={false}
          value={user}
        />
      </Box>
      <Box>
        <Field
          autoComplete="off"
          bare
          label="Method"
          onChange={setMethod}
          placeholder="Method, such as Login"
          spellCheck={false}
          value={method}
        />
      </Box>
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
      <Box>
        <Field
          autoComplete="off"
          bare
          label="Address"
          onChange={setAddress}
          placeholder="Address"
          spellCheck={false}
          value={address}
        />
      </Box>
      <Box>
        <Field
          autoComplete="off"
          bare
          error={fromError}
          label="From, in UTC"
          onChange={setFrom}
          placeholder="From, in UTC"
          spellCheck={false}
          value={from}
        />
      </Box>
      <Box>
        <Field
          autoComplete="off"
          bare
          error={toError}
          label="To, in UTC"
          onChange={setTo}
          placeholder="To, in UTC"
          spellCheck={false}
          value={to}
        />
      </Box>
      <Button type="submit">Filter</Button>
      {!isClear && (
        <Button onClick={() => set({ ...noFilter, from: null, to: null })} variant="quiet">
          Clear
        </Button>
      )}
    </form>
  )
}

function Box({ children }: { children: ReactNode }) {
  return <div className="min-w-0 xs:w-40">{children}</div>
}
