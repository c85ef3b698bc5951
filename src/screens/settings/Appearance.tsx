import { useAtomValue, useSetAtom } from 'jotai'
import { useId, useState } from 'react'
import { useAct } from '~/core/act'
import {
  chooseSidebar,
  chooseTheme,
  chooseTimezone,
  setPaneSizes,
  sidebarAtom,
  themeChoiceAtom,
  timezoneAtom,
} from '~/core/page-view'
import {
  areSingleKeysOnAtom,
  changeSettings,
  isShortcutListOpenAtom,
  settingsAtom,
} from '~/core/settings'
import { defaultPaneSizes, editorFontSizes } from '~/lib/constants'
import { keysOf } from '~/lib/shortcuts'
import { formatMoment } from '~/lib/time'
import { isKnownZone, ownZone, zoneNames } from '~/lib/time-zone'
import { Button } from '~/ui/Button'
import { Field } from '~/ui/Field'
import { Switch } from '~/ui/Switch'
import { showToast } from '~/ui/toast'
import { Choices } from './Choices'
import { NumberField } from './NumberField'

export function Appearance() {
  const theme = useAtomValue(themeChoiceAtom)
  const setTheme = useAct(chooseTheme)
  const sidebar = useAtomValue(sidebarAtom)
  const setSidebar = useAct(chooseSidebar)
  const setPanes = useAct(setPaneSizes)
  const reset = () => {
    void setPanes(defaultPaneSizes)
    showToast({ kind: 'success', text: 'The panes have their default sizes again.' })
  }
  return (
    <>
      <Choices
        choices={[
          { value: 'dark', label: 'Dark' },
          { value: 'light', label: 'Light' },
          { value: 'system', label: 'System' },
        ]}
        label="Theme"
        onChange={setTheme}
        value={theme}
      />
      <Switch
        checked={sidebar.mini}
        label="Show only icons in the navigation"
        onChange={(mini) => setSidebar({ mini })}
      />
      <div>
        <Button onClick={reset}>Reset pane sizes</Button>
      </div>
    </>
  )
}

export function Keyboard() {
  const areOn = useAtomValue(areSingleKeysOnAtom)
  const change = useAct(changeSettings)
  const openList = useSetAtom(isShortcutListOpenAtom)
  return (
    <>
      <Switch
        checked={areOn}
        hint={`${keysOf('everywhere', 'help')} lists them, ${keysOf('guide', 'search')} searches.`}
        label="Single-key shortcuts"
        onChange={(singleKeys) => change({ singleKeys })}
      />
      <div>
        <Button onClick={() => openList(true)}>Show all shortcuts</Button>
      </div>
    </>
  )
}

const quoteModes = [
  {
    value: 'automatic',
    label: 'Automatic',
    hint: 'Known names as names, the rest as text',
  },
  { value: 'text', label: 'Always text', hint: '"a" becomes \'a\'' },
  { value: 'never', label: 'Never change', hint: 'All as names' },
] as const

export function Editor() {
  const { fontSize, wrap, history, quotes } = useAtomValue(settingsAtom)
  const change = useAct(changeSettings)
  return (
    <>
      <NumberField
        bounds={editorFontSizes}
        label="Font size"
        onChange={(next) => change({ fontSize: next })}
        unit="px"
        value={fontSize}
      />
      <Switch checked={wrap} label="Wrap long lines" onChange={(next) => change({ wrap: next })} />
      <Switch
        checked={history}
        hint="Until you log out. May hold data."
        label="Keep a statement history"
        onChange={(next) => change({ history: next })}
      />
      <Choices
        choices={quoteModes}
        label="Double quotes in SQL"
        onChange={(next) => change({ quotes: next })}
        value={quotes}
      />
    </>
  )
}

type Kind = 'local' | 'utc' | 'named'

/** The zone in which every time is shown: in lists, in results, in messages. */
export function Times() {
  const zone = useAtomValue(timezoneAtom)
  const setZone = useAct(chooseTimezone)
  const [isNamed, setNamed] = useState(false)
  const [now] = useState(Date.now)
  const isOther = zone !== 'local' && zone !== 'utc'
  const kind = isNamed || isOther ? 'named' : zone
  const choose = (next: Kind) => {
    setNamed(next === 'named')
    if (next !== 'named') void setZone(next)
  }
  const here = ownZone()
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
        Now: <span className="text-text">{formatMoment(now, zone)}</span>
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
        error={typed === '' || isKnown ? undefined : 'The zone is not one of the allowed values.'}
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
