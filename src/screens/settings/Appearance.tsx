import { useAtomValue, useSetAtom } from 'jotai'
import {
  setPaneSizesAtom,
  setSidebarAtom,
  setThemeAtom,
  sidebarAtom,
  themeChoiceAtom,
} from '~/atoms/view'
import { defaultPaneSizes } from '~/lib/constants'
import { Button } from '~/ui/Button'
import { Switch } from '~/ui/Switch'
import { showToast } from '~/ui/toast'
import { Choices } from './Choices'

export function Appearance() {
  const theme = useAtomValue(themeChoiceAtom)
  const setTheme = useSetAtom(setThemeAtom)
  const sidebar = useAtomValue(sidebarAtom)
  const setSidebar = useSetAtom(setSidebarAtom)
  const setPanes = useSetAtom(setPaneSizesAtom)
  const reset = () => {
    void setPanes(defaultPaneSizes)
    showToast({ kind: 'success', text: 'The panes have their first sizes again.' })
  }
  return (
    <>
      <Choices
        choices={[
          { value: 'dark', label: 'Dark' },
          { value: 'light', label: 'Light' },
          { value: 'system', label: 'System', hint: 'As the operating system is set' },
        ]}
        label="Theme"
        onChange={setTheme}
        value={theme}
      />
      <Switch
        checked={sidebar.mini}
        hint="The names stay for screen readers and on hover."
        label="Show only icons in the navigation"
        onChange={(mini) => setSidebar({ mini })}
      />
      <div>
        <Button onClick={reset}>Reset the sizes of the panes</Button>
      </div>
    </>
  )
}
