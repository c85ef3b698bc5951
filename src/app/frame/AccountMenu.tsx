import { useAtomValue, useSetAtom } from 'jotai'
import { type ReactNode, useState } from 'react'
import { levelAtom } from '~/atoms/users/user-list'
import { useAct } from '~/core/act'
import { countDrafts, type DraftCounts } from '~/core/drafts'
import { chooseTheme, chooseTimezone, themeChoiceAtom, timezoneAtom } from '~/core/page-view'
import { fleetAtom } from '~/core/session/fleet'
import { modeAtom, sessionAtom } from '~/core/session/session'
import { lockNow, logOut } from '~/core/session/session-end'
import { isShortcutListOpenAtom } from '~/core/settings'
import { findBegun, forgetUploads } from '~/core/upload-records'
import { permissionNames } from '~/immudb/permission'
import { pathToPassword } from '~/lib/paths'
import { keysOf } from '~/lib/shortcuts'
import { counted, listOf } from '~/lib/text'
import { AskDialog } from '~/ui/AskDialog'
import {
  KeyboardIcon,
  KeyIcon,
  LockIcon,
  LogOutIcon,
  MoonIcon,
  SettingsIcon,
  SunIcon,
  UserIcon,
} from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { useNavigate } from '~/ui/location'
import { Menu, type MenuEntry } from '~/ui/Menu'
import { clearToasts } from '~/ui/toast'

export function AccountMenu() {
  const session = useAtomValue(sessionAtom)
  const level = useAtomValue(levelAtom)
  const hasLogin = useAtomValue(modeAtom) === 'login'
  const theme = useAtomValue(themeChoiceAtom)
  const timezone = useAtomValue(timezoneAtom)
  const isNamed = timezone !== 'local' && timezone !== 'utc'
  const setTheme = useAct(chooseTheme)
  const setTimezone = useAct(chooseTimezone)
  const openShortcuts = useSetAtom(isShortcutListOpenAtom)
  const lock = useAct(lockNow)
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

type LogOut = {
  /** Looks for drafts, which are offered to be erased. */
  look: () => void
  entries: readonly MenuEntry[]
  /** Stands beside the menu: the question before drafts are erased. */
  question: ReactNode
}

/** The ways out: at once with the drafts kept, or after a question with the drafts erased. */
function useLogOut(): LogOut {
  const logout = useAct(logOut)
  const find = useAct(countDrafts)
  const findImports = useAct(findBegun)
  const forgetImports = useAct(forgetUploads)
  const [drafts, setDrafts] = useState<Kept | null>(null)
  const [isAsking, setAsking] = useState(false)
  const fleet = useAtomValue(fleetAtom)
  const [others, setOthers] = useState(0)
  const leave = (with_: 'keep' | 'erase') => {
    clearToasts()
    if (with_ === 'erase') void forgetImports()
    logout(with_)
  }
  const hasDrafts = drafts !== null && namesOf(drafts) !== ''
  const erase: MenuEntry = {
    kind: 'action',
    label: 'Log out and erase drafts…',
    icon: <LogOutIcon />,
    onSelect: () => setAsking(true),
  }
  const everywhere: MenuEntry = {
    kind: 'action',
    label: 'Log out everywhere',
    detail: counted(others + 1, 'server'),
    icon: <LogOutIcon />,
    onSelect: () => {
      void fleet?.logOutOthers()
      leave('keep')
    },
  }
  return {
    look: () => {
      void Promise.all([find(), findImports()]).then(([found, { length: imports }]) =>
        setDrafts({ ...found, imports }),
      )
      void fleet?.othersSignedIn().then(setOthers)
    },
    entries: [
      {
        kind: 'action',
        label: 'Log out',
        icon: <LogOutIcon />,
        onSelect: () => leave('keep'),
      },
      ...(others > 0 ? [everywhere] : []),
      ...(hasDrafts ? [erase] : []),
    ],
    question: isAsking && drafts && (
      <AskDialog
        action="Log out and erase"
        description={`This browser erases ${namesOf(drafts)}, in all tabs and for good. Nothing in the database changes.`}
        isDanger
        onAction={() => leave('erase')}
        onClose={() => setAsking(false)}
        title="Log out and erase your drafts?"
      />
    ),
  }
}

type Kept = DraftCounts & { imports: number }

function namesOf(kept: Kept): string {
  const values = kept.keys + kept.operations
  const texts =
    kept.sql === 1
      ? 'the text of the SQL editor'
      : `the texts of ${counted(kept.sql, 'SQL editor')}`
  const sql = kept.sql > 0 ? [texts] : []
  const keys = values > 0 ? [`${counted(values, 'unsaved value')} in Keys`] : []
  const rows = kept.rows > 0 ? [`the staged edits of ${counted(kept.rows, 'table')}`] : []
  const newTable = kept.tables > 0 ? ['what you typed for a new table'] : []
  const last =
    kept.documents > 0 ? [`${counted(kept.documents, 'unsaved document')} in Documents`] : []
  const made =
    kept.collections > 0 ? [`${counted(kept.collections, 'collection')} not created yet`] : []
  const typed = kept.forms > 0 ? [`what you typed in ${counted(kept.forms, 'form')}`] : []
  const files =
    kept.imports > 0 ? [`what is known of ${counted(kept.imports, 'unfinished import')}`] : []
  return listOf([...sql, ...keys, ...rows, ...newTable, ...last, ...made, ...typed, ...files])
}
