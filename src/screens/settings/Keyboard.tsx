import { useAtomValue, useSetAtom } from 'jotai'
import { changeSettingsAtom } from '~/atoms/settings'
import { areSingleKeysOnAtom, isShortcutListOpenAtom } from '~/atoms/shortcuts'
import { keysOf } from '~/lib/shortcuts'
import { Button } from '~/ui/Button'
import { Switch } from '~/ui/Switch'

export function Keyboard() {
  const areOn = useAtomValue(areSingleKeysOnAtom)
  const change = useSetAtom(changeSettingsAtom)
  const openList = useSetAtom(isShortcutListOpenAtom)
  return (
    <>
      <Switch
        checked={areOn}
        hint={`${keysOf('everywhere', 'help')} shows the shortcuts, ${keysOf('guide', 'search')} goes to a search. Not while you type.`}
        label="Shortcuts of a single key"
        onChange={(singleKeys) => change({ singleKeys })}
      />
      <div>
        <Button onClick={() => openList(true)}>Show the keyboard shortcuts</Button>
      </div>
    </>
  )
}
