import { useAtomValue } from 'jotai'
import { useState } from 'react'
import type { Database } from '~/api/databases'
import { settingsOfAtom } from '~/atoms/databases/settings'
import { levelOnAtom } from '~/atoms/users/viewer'
import { failureWords } from '~/core/session/failure-words'
import { reservedReason } from '~/immudb/database-name'
import { type DatabaseSettings, settingGroups } from '~/immudb/database-settings'
import { refusalFor } from '~/immudb/permission'
import { Button } from '~/ui/Button'
import { ResultNote } from '~/ui/ResultNote'
import { SafeText } from '~/ui/SafeText'
import { Unanswered } from '~/ui/Unanswered'
import { SettingsDialog } from './SettingsDialog'
import { shownSetting } from './shown-setting'

/** How a database is set, and the way to change it. */
export function SettingsTab({ database: { name } }: { database: Database }) {
  const asked = useAtomValue(useAtomValue(settingsOfAtom)(name))
  const { data } = asked
  const level = useAtomValue(levelOnAtom)(name)
  const [isEditing, setEditing] = useState(false)
  const [saved, setSaved] = useState<string | null>(null)
  const reason = reservedReason(name) ?? refusalFor(level, 'change database')
  if (!data) {
    return (
      <div className="p-4">
        <Unanswered
          asked={asked}
          label="Loading the settings"
          lines={8}
          what="The settings could not be read."
          words={failureWords}
        />
      </div>
    )
  }
  return (
    <div className="flex flex-col gap-4 p-4">
      {saved && (
        <ResultNote isDone onClose={() => setSaved(null)}>
          {saved}
        </ResultNote>
      )}
      <div className="flex items-start justify-between gap-3">
        <p className="min-w-0 text-muted text-sm">
          {reason ?? 'What is marked as fixed was chosen when the database was created.'}
        </p>
        <Button disabledReason={reason} onClick={() => setEditing(true)} size="small">
          Change settings…
        </Button>
      </div>
      <SettingLists settings={data} />
      {isEditing && (
        <SettingsDialog
          name={name}
          onClose={() => setEditing(false)}
          onSaved={setSaved}
          settings={data}
        />
      )}
    </div>
  )
}

function SettingLists({ settings }: { settings: DatabaseSettings }) {
  return settingGroups.map((group) => (
    <section key={group.name}>
      <h3 className="mb-1 font-medium text-sm">{group.name}</h3>
      <dl className="divide-y divide-line/55 rounded border border-line text-sm">
        {group.settings.map((setting) => (
          <div className="flex items-baseline gap-3 px-3 py-1" key={setting.path}>
            <dt className="min-w-0 grow text-muted" title={`${setting.path}: ${setting.meaning}`}>
              {setting.label}
              {setting.isFixed && <span className="text-xs"> · fixed</span>}
            </dt>
            <dd className="min-w-0 max-w-[60%] break-words text-end font-mono">
              <SafeText text={shownSetting(setting, settings.get(setting.path))} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  ))
}
