import { memo, type ReactNode, useState } from 'react'
import {
  type DatabaseSettings,
  type Setting,
  type SettingGroup,
  settingGroups,
} from '~/immudb/database-settings'
import type { SettingProblems } from '~/immudb/setting-rules'
import { Badge } from '~/ui/Badge'
import { Checkbox } from '~/ui/Checkbox'
import { Field } from '~/ui/Field'
import { ChevronRightIcon } from '~/ui/Icon'
import { PasswordField } from '~/ui/PasswordField'
import { shownSetting, unitOf } from './shown-setting'

type Props = {
  settings: DatabaseSettings
  /** What they were; a field that differs is marked. */
  before: DatabaseSettings
  problems: SettingProblems
  /** Once a database is there, its fixed settings can only be looked at. */
  isNew: boolean
  onChange: (path: string, value: string) => void
}

/**
 * All settings in groups. A group opens by itself when something in it is wrong, and closes only by
 * hand: it may hold the field that has the focus. Drawn only when its own properties change: it has more than fifty fields, and others are typed in beside it.
 */
export const SettingsForm = memo(function SettingsForm(props: Props) {
  return (
    <div className="divide-y divide-line rounded border border-line">
      {settingGroups.map((group) => (
        <Group group={group} key={group.name} {...props} />
      ))}
    </div>
  )
})

function Group({ group, ...props }: Props & { group: SettingGroup }) {
  const { settings, before, problems } = props
  const changed = group.settings.filter(({ path }) => settings.get(path) !== before.get(path))
  const wrong = group.settings.filter(({ path }) => problems.has(path))
  const isWrong = wrong.length > 0
  const [isOpen, setOpen] = useState(isWrong)
  const [wasWrong, setWasWrong] = useState(isWrong)
  if (isWrong !== wasWrong) {
    setWasWrong(isWrong)
    if (isWrong) setOpen(true)
  }
  return (
    <details
      className="group"
      onToggle={(event) => setOpen(event.currentTarget.open)}
      open={isOpen}
    >
      <summary className="flex min-h-11 items-center gap-2 px-3 py-2 hover:bg-hover">
        <ChevronRightIcon className="shrink-0 text-muted group-open:rotate-90" />
        <span className="font-medium">{group.name}</span>
        <span className="min-w-0 grow truncate text-muted text-sm">{group.meaning}</span>
        {changed.length > 0 && <Badge tone="info">{changed.length} changed</Badge>}
        {wrong.length > 0 && <Badge tone="error">{wrong.length} wrong</Badge>}
      </summary>
      <div className="grid gap-x-5 gap-y-1 px-3 pt-1 pb-3 xs:grid-cols-2">
        {group.settings.map((setting) => (
          <SettingField key={setting.path} setting={setting} {...props} />
        ))}
      </div>
    </details>
  )
}

type FieldProps = Props & { setting: Setting }

function SettingField(props: FieldProps) {
  const { setting, settings, isNew, onChange } = props
  const { path, kind, label, meaning, isFixed, isOfReplica } = setting
  const value = settings.get(path)
  if (isFixed && !isNew) return <FixedSetting setting={setting} value={value} />
  const isForReplica = isOfReplica && settings.get('replicationSettings.replica') !== 'true'
  const words = isForReplica ? 'Only for a replica.' : meaning
  const hint = (before: string) => (
    <>
      {before} <ServerName path={path} />
    </>
  )
  if (kind === 'flag') {
    return (
      <div className="xs:pt-5">
        <Checkbox
          checked={value === 'true'}
          disabled={isForReplica ?? false}
          hint={hint(isFixed ? `Fixed for ever. ${words}` : words)}
          label={label}
          onChange={(isOn) => onChange(path, String(isOn))}
        />
      </div>
    )
  }
  if (kind === 'secret') {
    return <SecretField {...props} hint={hint} isOff={isForReplica ?? false} words={words} />
  }
  return (
    <Field
      autoComplete="off"
      disabled={isForReplica}
      error={props.problems.get(path)}
      hint={hint(describedHint(setting, value, words))}
      label={label}
      mono={kind !== 'text'}
      onChange={(next) => onChange(path, next.trim())}
      spellCheck={false}
      trailing={<Trailing setting={setting} />}
      value={value ?? ''}
      {...(kind === 'text' ? {} : { inputMode: kind === 'percent' ? 'decimal' : 'numeric' })}
    />
  )
}

/** What the server itself calls a setting, in its configuration and its answers. */
function ServerName({ path }: { path: string }) {
  return (
    <code translate="no" className="break-words font-mono">
      {path}
    </code>
  )
}

/** The number in larger units, then what the setting does. */
function describedHint(setting: Setting, value: string | undefined, meaning: string): string {
  if (value === undefined) return `The server does not report it. ${meaning}`
  const isSpanOrSize = setting.kind === 'bytes' || setting.kind === 'period'
  return isSpanOrSize && /^\d{4,15}$/.test(value)
    ? `${shownSetting(setting, value)}. ${meaning}`
    : meaning
}

function Trailing({ setting }: { setting: Setting }) {
  const unit = unitOf(setting)
  return (
    <span className="flex shrink-0 items-center gap-2 px-2 text-muted text-sm">
      {unit}
      {setting.isFixed && (
        <Badge title="It cannot be changed after the database is created.">fixed for ever</Badge>
      )}
    </span>
  )
}

function FixedSetting({ setting, value }: { setting: Setting; value: string | undefined }) {
  return (
    <p className="py-1 text-sm">
      <span className="mb-1 flex items-center gap-2 font-medium">
        {setting.label} <Badge>fixed for ever</Badge>
      </span>
      <span className="font-mono">{shownSetting(setting, value)}</span>
      <span className="block pt-1 text-muted text-xs">
        <ServerName path={setting.path} />
      </span>
    </p>
  )
}

/** What is set is never shown; typing replaces it. */
function SecretField(
  props: FieldProps & { words: string; hint: (words: string) => ReactNode; isOff: boolean },
) {
  const { setting, settings, before, words, hint, isOff, onChange } = props
  const was = before.get(setting.path) ?? ''
  const value = settings.get(setting.path) ?? ''
  const isUntouched = value === was
  return (
    <PasswordField
      autoComplete="new-password"
      disabled={isOff}
      hint={hint(
        was !== '' && isUntouched && !isOff
          ? `A value is set. It stays unless you type a new one. ${words}`
          : words,
      )}
      label={setting.label}
      onChange={(next) => onChange(setting.path, next === '' ? was : next)}
      placeholder={was === '' ? '' : 'unchanged'}
      value={isUntouched ? '' : value}
    />
  )
}
