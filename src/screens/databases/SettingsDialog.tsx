import { useState } from 'react'
import { checkSettings, saveDatabaseSettings } from '~/atoms/databases/settings'
import { useAct } from '~/core/act'
import type { DatabaseSettings } from '~/immudb/database-settings'
import { settingsCommand } from '~/immudb/immuadmin'
import {
  changedSettings,
  changesBetween,
  type SettingChange,
  settingProblems,
  withoutReplicaSettings,
} from '~/immudb/setting-rules'
import { counted } from '~/lib/text'
import { AskDialog } from '~/ui/AskDialog'
import { SafeName, SafeText } from '~/ui/SafeText'
import { Table } from '~/ui/Table'
import { useWrite } from '~/ui/use-write'
import { CommandBox } from './CommandBox'
import { SettingsForm } from './SettingsForm'
import { shownSetting } from './shown-setting'

type Props = {
  name: string
  settings: DatabaseSettings
  onClose: () => void
  onSaved: (text: string) => void
}

/** Changes settings in two steps: what is typed, then the difference that would be saved. */
export function SettingsDialog(props: Props) {
  const { name, onClose } = props
  const form = useChangedSettings(props)
  const { changes, isReviewing } = form
  return (
    <AskDialog
      description={
        isReviewing
          ? 'This is the whole difference; nothing else is sent.'
          : 'Settings marked “fixed for ever” cannot be changed. You see the difference before anything is saved.'
      }
      isTyped={changes.length > 0}
      onClose={isReviewing ? form.back : onClose}
      {...(isReviewing
        ? { action: 'Save', cancel: 'Back', onAction: form.save }
        : {
            action:
              changes.length === 0
                ? 'Review changes'
                : `Review ${counted(changes.length, 'change')}`,
            onAction: form.review,
            refusal: form.reason,
          })}
      title={
        <>
          Settings of <SafeName text={name} />
        </>
      }
      width="wide"
      write={{
        state: form.write.state,
        notDone: 'The settings are as they were.',
        onCheck: form.check,
      }}
    >
      {isReviewing && <SettingsReview changes={changes} name={name} />}
      {/* Kept while it is out of sight: its groups stay as they were opened. */}
      <div hidden={isReviewing}>
        <SettingsForm
          before={form.before}
          isNew={false}
          onChange={form.change}
          problems={form.problems}
          settings={form.settings}
        />
      </div>
    </AskDialog>
  )
}

function useChangedSettings({ name, settings, onClose, onSaved }: Props) {
  // What is saved is the difference to what was shown when the dialog opened.
  const [before] = useState(settings)
  const [typed, setTyped] = useState(settings)
  const [isReviewing, setReviewing] = useState(false)
  const saveSettings = useAct(saveDatabaseSettings)
  const check = useAct(checkSettings)
  const now = withoutReplicaSettings(typed)
  const problems = settingProblems(now)
  const changes = changesBetween(before, now)
  const write = useWrite<void>(() => {
    onSaved(savedText(changes))
    onClose()
  })
  return {
    before,
    settings: now,
    changes,
    problems,
    reason:
      problems.size > 0
        ? 'Correct the settings first.'
        : changes.length === 0
          ? 'Nothing is changed yet.'
          : undefined,
    isReviewing,
    write,
    change: (path: string, value: string) => setTyped((old) => new Map(old).set(path, value)),
    review: () => setReviewing(true),
    back: () => {
      setReviewing(false)
      write.forget()
    },
    save: () => void write.start(() => saveSettings(name, changedSettings(changes))),
    check: () => void write.check(() => check(name, changedSettings(changes))),
  }
}

function savedText(changes: readonly SettingChange[]): string {
  const later = changes.filter(({ setting }) => !setting.isImmediate).length
  const saved = `${counted(changes.length, 'setting')} saved.`
  if (later === 0) return `${saved} In effect now.`
  return `${saved} ${later === changes.length ? 'In effect' : `${later} of them in effect`} the next time the database is loaded: unload and load it.`
}

type SettingsReviewProps = { name: string; changes: readonly SettingChange[] }

/** For the review: a second press of what led to it must not save what nobody has read. */
const takeFocus = (review: HTMLElement | null) => review?.focus()

/** The difference that would be saved, and when it takes effect. */
function SettingsReview({ name, changes }: SettingsReviewProps) {
  const isReplication = changes.some(({ setting }) => setting.path.startsWith('replication'))
  return (
    <div className="flex flex-col gap-3 outline-none" ref={takeFocus} tabIndex={-1}>
      <div className="overflow-x-auto overscroll-x-contain rounded border border-line">
        <Table caption="Changed settings" isBoxed titles={['Setting', 'Now', 'Then', 'In effect']}>
          {changes.map((change) => (
            <Change change={change} key={change.setting.path} />
          ))}
        </Table>
      </div>
      {isReplication && (
        <p className="text-sm text-warning">
          Replication of this database restarts. If the server refuses the change, replication stays
          stopped until the database is loaded again.
        </p>
      )}
      <div>
        <h3 className="mb-1 text-muted text-xs">The same with immuadmin</h3>
        <CommandBox commands={settingsCommand('update', name, changes)} />
      </div>
    </div>
  )
}

function Change({ change: { setting, before, after } }: { change: SettingChange }) {
  const then =
    setting.kind === 'secret' && after !== '' ? 'new, hidden' : shownSetting(setting, after)
  return (
    <tr>
      <th scope="row">
        <span title={setting.path}>{setting.label}</span>
      </th>
      <td className="font-mono text-muted">
        <del>
          <SafeText text={shownSetting(setting, before)} />
        </del>
      </td>
      <td className="font-mono">
        <ins className="no-underline">
          <SafeText text={then} />
        </ins>
      </td>
      <td className="text-muted">
        {setting.isImmediate ? 'at once' : 'when loaded the next time'}
      </td>
    </tr>
  )
}
