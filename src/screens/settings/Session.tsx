import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { useAct } from '~/core/act'
import { timezoneAtom } from '~/core/page-view'
import { expiryAtom } from '~/core/session/expiry'
import { lockNow } from '~/core/session/session-end'
import { setStaySignedIn, staySignedInAtom } from '~/core/session/session-start'
import { changeSettings, settingsAtom } from '~/core/settings'
import { defaultIdleMinutes, idleMinutes } from '~/lib/constants'
import { formatMoment } from '~/lib/time'
import { Button } from '~/ui/Button'
import { LockIcon } from '~/ui/Icon'
import { Switch } from '~/ui/Switch'
import { NumberField } from './NumberField'

export function Session() {
  const isStaying = useAtomValue(staySignedInAtom)
  const setStaying = useAct(setStaySignedIn)
  const { idle } = useAtomValue(settingsAtom)
  const change = useAct(changeSettings)
  const lock = useAct(lockNow)
  const end = useAtomValue(expiryAtom)
  const zone = useAtomValue(timezoneAtom)
  const [last, setLast] = useState(idle || defaultIdleMinutes)
  const setIdle = (minutes: number) => {
    setLast(minutes)
    void change({ idle: minutes })
  }
  return (
    <>
      <Switch
        checked={isStaying}
        hint="Also after a reload."
        label="Stay signed in"
        onChange={setStaying}
      />
      <Switch
        checked={idle > 0}
        hint="This tab only. Drafts stay."
        label="Lock when not in use"
        onChange={(isOn) => change({ idle: isOn ? last : 0 })}
      />
      {idle > 0 && (
        <NumberField
          bounds={idleMinutes}
          label="Lock after"
          onChange={setIdle}
          unit="minutes"
          value={idle}
        />
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button icon={<LockIcon />} onClick={() => lock()}>
          Lock now
        </Button>
        {end !== null && (
          <span className="text-muted text-sm">Session ends {formatMoment(end, zone)}.</span>
        )}
      </div>
    </>
  )
}
