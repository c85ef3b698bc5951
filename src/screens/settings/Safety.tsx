import { useAtomValue } from 'jotai'
import { useAct } from '~/core/act'
import { databaseAtom } from '~/core/session/session'
import {
  changeSettings,
  chooseReadOnly,
  confirmDangerAtom,
  readOnlyDatabasesAtom,
} from '~/core/settings'
import { Button } from '~/ui/Button'
import { SafeName } from '~/ui/SafeText'
import { Switch } from '~/ui/Switch'

export function Safety() {
  const isAsked = useAtomValue(confirmDangerAtom)
  const change = useAct(changeSettings)
  const database = useAtomValue(databaseAtom)
  const readOnly = useAtomValue(readOnlyDatabasesAtom)
  const setReadOnly = useAct(chooseReadOnly)
  const others = [...readOnly].filter((name) => name !== database)
  return (
    <>
      <Switch
        checked={isAsked}
        hint="DROP, TRUNCATE, and DELETE or UPDATE without WHERE."
        label="Ask before destructive statements"
        onChange={(confirm) => change({ confirm })}
      />
      {database !== null && (
        <Switch
          checked={readOnly.has(database)}
          label="Only read the open database"
          onChange={(isOn) => setReadOnly(database, isOn)}
        />
      )}
      {others.length > 0 && (
        <div>
          <h3 className="mb-1 font-medium text-sm">Other read-only databases</h3>
          <ul className="grid gap-1">
            {others.map((name) => (
              <li className="flex items-center gap-3" key={name}>
                <span className="min-w-0 grow truncate">
                  <SafeName text={name} />
                </span>
                <Button
                  aria-label={`Allow writes to ${name}`}
                  onClick={() => setReadOnly(name, false)}
                  size="small"
                >
                  Allow writes
                </Button>
              </li>
            ))}
          </ul>
        </div>
      )}
      <p className="text-muted text-sm">In this browser only.</p>
    </>
  )
}
