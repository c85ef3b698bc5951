import { useAtomValue, useSetAtom } from 'jotai'
import { lockNowAtom } from '~/atoms/lock'
import { modeAtom, sessionAtom } from '~/atoms/session'
import { isShortcutListOpenAtom } from '~/atoms/shortcuts'
import { levelAtom } from '~/atoms/users'
import { setThemeAtom, setTimezoneAtom, themeChoiceAtom, timezoneAtom } from '~/atoms/view'
import { pathToPassword } from '~/lib/paths'
import { permissionNames } from '~/lib/permission'
import { keysOf } from '~/lib/shortcuts'
import {
  KeyboardIcon,
  KeyIcon,
  LockIcon,
  MoonIcon,
  SettingsIcon,
  SunIcon,
  UserIcon,
} from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { useNavigate } from '~/ui/location'
import { Menu } from '~/ui/Menu'
import { useLogOut } from './LogOut'

export function AccountMenu() {
  const session = useAtomValue(sessionAtom)
  const level = useAtomValue(levelAtom)
  const hasLogin = useAtomValue(modeAtom) === 'login'
  const theme = useAtomValue(themeChoiceAtom)
  const timezone = useAtomValue(timezoneAtom)
  const isNamed = timezone !== 'local' && timezone !== 'utc'
  const setTheme = useSetAtom(setThemeAtom)
  const setTimezone = useSetAtom(setTimezoneAtom)
  const openShortcuts = useSetAtom(isShortcutListOpenAtom)
  const lock = useSetAtom(lockNowAtom)
  const navigate = useNavigate()
  const logOut = useLogOut()
  const ofLogin = [
    { kind: 'separator' },
    {
      kind: 'action',
      label: 'Change password',
      icon: <KeyIcon />,
      // Where the server would refuse, the dialog says why.
      onSelect: () => navigate(pathToPassword(session?.user ?? '')),
    },
    { kind: 'action', label: 'Lock now', icon: <LockIcon />, onSelect: lock },
    ...logOut.entries,
  ] as const
  return (
    <>
      <Menu
        entries={[
          {
            kind: 'heading',
            label: session?.user || 'No login',
            detail: permissionNames.get(level) ?? `Level ${level}`,
          },
          { kind: 'separator' },
          {
            kind: 'choice',
            label: 'Theme',
            value: theme,
            options: [
              { value: 'dark', label: 'Dark', icon: <MoonIcon /> },
              { value: 'light', label: 'Light', icon: <SunIcon /> },
              { value: 'system', label: 'System', icon: <SettingsIcon /> },
            ],
            onChange: (value) => setTheme(value === 'light' || value === 'system' ? value : 'dark'),
          },
          {
            kind: 'choice',
            label: 'Times',
            value: timezone,
            options: [
              { value: 'local', label: 'Local time' },
              { value: 'utc', label: 'UTC' },
              // Others are chosen in Settings.
              ...(isNamed ? [{ value: timezone, label: timezone }] : []),
            ],
            onChange: setTimezone,
          },
          { kind: 'separator' },
          {
            kind: 'action',
            label: 'Keyboard shortcuts',
            detail: keysOf('everywhere', 'help'),
            icon: <KeyboardIcon />,
            onSelect: () => openShortcuts(true),
          },
          ...(hasLogin ? ofLogin : []),
        ]}
        label="Account"
        onOpen={logOut.look}
        trigger={<IconButton icon={<UserIcon size={20} />} label="Account" />}
      />
      {logOut.question}
    </>
  )
}
