import { useAtomValue, useSetAtom } from 'jotai'
import { useId, useState } from 'react'
import { setTimezoneAtom, timezoneAtom } from '~/atoms/view'
import { formatMoment, isKnownZone } from '~/lib/text'
import { validationMessage } from '~/lib/validation'
import { zoneNames } from '~/lib/zones'
import { Field } from '~/ui/Field'
import { Choices } from './Choices'

type Kind = 'local' | 'utc' | 'named'

/** The zone in which every time is shown: in lists, in results, in messages. */
export function Times() {
  const zone = useAtomValue(timezoneAtom)
  const setZone = useSetAtom(setTimezoneAtom)
  const [isNamed, setNamed] = useState(false)
  const [now] = useState(Date.now)
  const isOther = zone !== 'local' && zone !== 'utc'
  const kind = isNamed || isOther ? 'named' : zone
  const choose = (next: Kind) => {
    setNamed(next === 'named')
    if (next !== 'named') void setZone(next)
  }
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone
  return (
    <>
      <Choices<Kind>
        choices={[
          { value: 'local', label: 'Local', hint: here },
          { value: 'utc', label: 'UTC' },
          { value: 'named', label: 'Another zone' },
        ]}
        label="Time zone"
        onChange={choose}
        value={kind === 'local' || kind === 'utc' ? kind : 'named'}
      />
      {kind === 'named' && <Zone onChange={setZone} value={isOther ? zone : ''} />}
      <p className="text-muted text-sm">
        It applies to every time shown, timestamps in results too. Now:{' '}
        <span className="text-text">{formatMoment(now, zone)}</span>
      </p>
    </>
  )
}

function Zone({ value, onChange }: { value: string; onChange: (zone: string) => void }) {
  const [typed, setTyped] = useState(value)
  const [names] = useState(zoneNames)
  const id = useId()
  const isKnown = names.includes(typed) || (typed.includes('/') && isKnownZone(typed))
  const change = (next: string) => {
    setTyped(next)
    if (names.includes(next) || (next.includes('/') && isKnownZone(next))) onChange(next)
  }
  return (
    <div className="xs:max-w-80">
      <Field
        error={typed === '' || isKnown ? undefined : validationMessage('oneOf', 'The zone')}
        hint="Type to search, such as Europe/Vienna."
        label="Zone"
        list={id}
        onChange={change}
        spellCheck={false}
        value={typed}
      />
      <datalist id={id}>
        {names.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </div>
  )
}
