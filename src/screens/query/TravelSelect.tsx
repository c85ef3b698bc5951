import { useAtomValue, useSetAtom } from 'jotai'
import { Suspense, useState } from 'react'
import { chooseMomentAtom, momentAtom } from '~/atoms/moment'
import { chosenTxAtom, presentTxAtom } from '~/atoms/state'
import { formatTx } from '~/lib/text'
import type { Moment } from '~/sql/time-travel'
import { fetchedLater } from '~/ui/fetched-later'
import { MomentIcon } from '~/ui/QueryIcons'
import { Select } from '~/ui/Select'
import { momentLabel } from './moment-text'

const TravelDialog = fetchedLater(() =>
  import('./TravelDialog').then((module) => module.TravelDialog),
)

/** Transactions offered by themselves: as many as one looks through without searching. */
const offered = 15

/** The transaction that queries look at: the present one until another is chosen. */
export function TravelSelect() {
  const moment = useAtomValue(momentAtom)
  const present = useAtomValue(presentTxAtom)
  const chosen = useAtomValue(chosenTxAtom)
  const choose = useSetAtom(chooseMomentAtom)
  const [isOpen, setOpen] = useState(false)
  const isOther = moment !== null && (moment.bound !== 'UNTIL' || moment.at.kind !== 'tx')
  const ids = offeredIds(present, isOther ? present : chosen)
  const options = [
    {
      value: 'present',
      label: 'Present',
      detail: present === '0' ? 'Nothing was written yet' : `tx ${formatTx(present)}`,
    },
    ...(isOther ? [{ value: 'chosen', label: momentLabel(moment) }] : []),
    ...ids.map((id) => ({ value: `tx ${id}`, label: `tx ${formatTx(id)}` })),
    { value: 'other', label: 'Another moment…', detail: 'Until, before, since or after' },
  ]
  const pick = (value: string) => {
    if (value === 'present') choose(null)
    else if (value === 'other') setOpen(true)
    else if (value.startsWith('tx ')) choose(until(value.slice(3)))
  }
  const value = moment === null ? 'present' : isOther ? 'chosen' : `tx ${chosen}`
  return (
    <>
      <Select
        disabledReason={present === '0' ? 'Nothing was written to this database yet.' : undefined}
        icon={<MomentIcon className="shrink-0" />}
        label="Time travel"
        onChange={pick}
        options={options}
        quiet={moment === null}
        size="small"
        value={value}
      />
      {isOpen && (
        <Suspense fallback={null}>
          <TravelDialog first={moment} newest={present} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

function until(id: string): Moment {
  return { bound: 'UNTIL', at: { kind: 'tx', id } }
}

/** The newest transactions, the chosen one and the first, newest first. */
function offeredIds(present: string, chosen: string): string[] {
  const newest = BigInt(present)
  const ids = new Set<bigint>()
  for (let id = newest; id >= 1n && ids.size < offered; id--) ids.add(id)
  if (newest > 0n) ids.add(BigInt(chosen)).add(1n)
  return [...ids].sort((a, b) => (a < b ? 1 : -1)).map(String)
}
