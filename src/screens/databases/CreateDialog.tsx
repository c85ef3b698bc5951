import { useAtomValue } from 'jotai'
import { useCallback, useMemo, useState } from 'react'
import { databasesAtom } from '~/atoms/databases/database-list'
import { checkCreated, createDatabase } from '~/atoms/databases/settings'
import { useAct } from '~/core/act'
import { codePoints, isUnusualName, nameProblem, storedName } from '~/immudb/database-name'
import { firstSettings } from '~/immudb/database-settings'
import { settingsCommand } from '~/immudb/immuadmin'
import {
  changedSettings,
  changesBetween,
  type SettingChange,
  settingProblems,
  withoutReplicaSettings,
} from '~/immudb/setting-rules'
import { AskDialog } from '~/ui/AskDialog'
import { Field } from '~/ui/Field'
import { WarningIcon } from '~/ui/Icon'
import { showToast } from '~/ui/toast'
import { useWrite } from '~/ui/use-write'
import { CommandBox } from './CommandBox'
import { SettingsForm } from './SettingsForm'

type Props = { onClose: () => void; onCreated: (name: string) => void }

/** Makes a database; its name is checked while it is typed, its settings are the server's at first. */
export function CreateDialog({ onClose, onCreated }: Props) {
  const form = useNewDatabase(onClose, onCreated)
  const { name, changes, problems, problem } = form
  return (
    <AskDialog
      action="Create"
      description="It gets the server’s usual settings unless you change them here. Settings marked “fixed for ever” cannot be changed later."
      isTyped={name !== '' || changes.length > 0}
      onAction={form.create}
      onClose={onClose}
      refusal={form.reason}
      title="Create a database"
      width="wide"
      write={{
        state: form.write.state,
        notDone: 'The database was not created.',
        onCheck: form.check,
      }}
    >
      <div className="flex flex-col gap-3">
        <Field
          autoCapitalize="none"
          autoComplete="off"
          error={name === '' ? undefined : problem}
          hint={nameHint(name)}
          label="Name"
          mono
          onChange={form.setName}
          spellCheck={false}
          value={name}
        />
        {problem === undefined && isUnusualName(name) && <LooksLikeOthers name={name} />}
        <SettingsForm
          before={firstSettings}
          isNew
          onChange={form.change}
          problems={problems}
          settings={form.settings}
        />
        <Equivalent changes={changes} name={storedName(name)} />
      </div>
    </AskDialog>
  )
}

function nameHint(name: string): string | undefined {
  if (name === '') return 'Lower-case letters, digits and _; at most 128 bytes.'
  const stored = storedName(name)
  return stored === name ? undefined : `It will be stored in lower case, as ${stored}.`
}

function LooksLikeOthers({ name }: { name: string }) {
  return (
    <p className="flex gap-2 text-sm text-warning" role="status">
      <WarningIcon className="mt-0.5 shrink-0" />
      <span>
        Allowed, but easily mistaken for another name: it has characters other than a–z, 0–9 and _,
        namely {codePoints(name)}.
      </span>
    </p>
  )
}

function Equivalent({ name, changes }: { name: string; changes: readonly SettingChange[] }) {
  if (name === '') return null
  return (
    <div>
      <h3 className="mb-1 text-muted text-xs">The same with immuadmin</h3>
      <CommandBox commands={settingsCommand('create', name, changes)} />
    </div>
  )
}

function useNewDatabase(onClose: () => void, onCreated: (name: string) => void) {
  const { data = [] } = useAtomValue(databasesAtom)
  const create = useAct(createDatabase)
  const check = useAct(checkCreated)
  const [name, setName] = useState('')
  const [typed, setTyped] = useState(firstSettings)
  const write = useWrite<string>((created) => {
    showToast({ kind: 'success', text: `${created} was created.` })
    onClose()
    onCreated(created)
  })
  const settings = useMemo(() => withoutReplicaSettings(typed), [typed])
  const problems = useMemo(() => settingProblems(settings), [settings])
  const change = useCallback(
    (path: string, value: string) => setTyped((now) => new Map(now).set(path, value)),
    [],
  )
  const changes = changesBetween(firstSettings, settings)
  const problem = nameProblem(name, new Set(data.map((one) => one.name)))
  const settingsReason = problems.size > 0 ? 'Correct the settings first.' : undefined
  const reason = name === '' ? 'Enter a name first.' : (problem ?? settingsReason)
  return {
    name,
    setName,
    settings,
    change,
    changes,
    problems,
    problem,
    reason,
    write,
    create: () => void write.start(() => create(name, changedSettings(changes))),
    check: () => void write.check(() => check(storedName(name))),
  }
}
