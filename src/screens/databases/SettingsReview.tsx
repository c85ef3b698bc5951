import { settingsCommand } from '~/lib/immuadmin'
import type { SettingChange } from '~/lib/setting-rules'
import { SafeText } from '~/ui/SafeText'
import { CommandBox } from './CommandBox'
import { shownSetting } from './shown-setting'

type Props = { name: string; changes: readonly SettingChange[] }

/** The difference that would be saved, and when it takes effect. */
export function SettingsReview({ name, changes }: Props) {
  const isReplication = changes.some(({ setting }) => setting.path.startsWith('replication'))
  return (
    <div className="flex flex-col gap-3">
      <div className="overflow-x-auto rounded border border-line">
        <table className="w-full text-sm">
          <thead>
            <tr className="border-line border-b text-start text-muted text-xs">
              <Head>Setting</Head>
              <Head>Now</Head>
              <Head>Then</Head>
              <Head>In effect</Head>
            </tr>
          </thead>
          <tbody>
            {changes.map((change) => (
              <Change change={change} key={change.setting.path} />
            ))}
          </tbody>
        </table>
      </div>
      {isReplication && (
        <p className="text-sm text-warning">
          Replication of this database restarts. Should the server refuse the change, replication
          stays stopped until the database is loaded again.
        </p>
      )}
      <div>
        <h3 className="mb-1 text-muted text-xs">The same with immuadmin</h3>
        <CommandBox commands={settingsCommand('update', name, changes)} />
      </div>
    </div>
  )
}

function Head({ children }: { children: string }) {
  return <th className="px-3 py-1.5 text-start font-medium">{children}</th>
}

function Change({ change: { setting, before, after } }: { change: SettingChange }) {
  const then =
    setting.kind === 'secret' && after !== '' ? 'new, hidden' : shownSetting(setting, after)
  return (
    <tr className="border-line/55 border-b last:border-b-0">
      <th className="px-3 py-1.5 text-start font-normal" scope="row">
        <span title={setting.path}>{setting.label}</span>
      </th>
      <td className="px-3 py-1.5 font-mono text-muted">
        <del>
          <SafeText text={shownSetting(setting, before)} />
        </del>
      </td>
      <td className="px-3 py-1.5 font-mono">
        <ins className="no-underline">
          <SafeText text={then} />
        </ins>
      </td>
      <td className="px-3 py-1.5 text-muted">
        {setting.isImmediate ? 'at once' : 'when loaded the next time'}
      </td>
    </tr>
  )
}
