import { useAtomValue, useSetAtom } from 'jotai'
import { changeSettingsAtom, settingsAtom } from '~/atoms/settings'
import { editorFontSizes } from '~/lib/constants'
import { Switch } from '~/ui/Switch'
import { Choices } from './Choices'
import { NumberField } from './NumberField'

const quoteModes = [
  {
    value: 'automatic',
    label: 'Automatic',
    hint: 'Known names stay names, anything else is sent as text',
  },
  { value: 'text', label: 'Always text', hint: '"a" is sent as \'a\'' },
  { value: 'never', label: 'Never change', hint: 'As immudb reads them: names' },
] as const

export function Editor() {
  const { fontSize, wrap, history, quotes } = useAtomValue(settingsAtom)
  const change = useSetAtom(changeSettingsAtom)
  return (
    <>
      <NumberField
        bounds={editorFontSizes}
        label="Font size"
        onChange={(next) => change({ fontSize: next })}
        unit="px"
        value={fontSize}
      />
      <Switch
        checked={wrap}
        hint="Otherwise the editor scrolls sideways."
        label="Wrap long lines"
        onChange={(next) => change({ wrap: next })}
      />
      <Switch
        checked={history}
        hint="In this browser, until you log out. Statements may hold data."
        label="Keep a history of what was run"
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
