import { useAtomValue } from 'jotai'
import { giveBackPrivileges } from '~/atoms/users/permissions'
import { dismissUserReports, type UserReport, userReportsAtom } from '~/atoms/users/writes'
import { useAct } from '~/core/act'
import { counted } from '~/lib/text'
import { visibleText } from '~/lib/visible-text'
import { Button } from '~/ui/Button'
import { CheckIcon, CloseIcon, WarningIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { SafeText } from '~/ui/SafeText'
import { Sentence } from '~/ui/Sentence'
import { WriteNote } from '~/ui/WriteNote'
import type { OpenUserDialog } from './UserDialog'
import { useUserWrite } from './use-write'

/** What changes led to, one notice for each user, the newest first, until each is dismissed. */
export function UserReports({ onOpen }: { onOpen: OpenUserDialog }) {
  const reports = useAtomValue(userReportsAtom)
  const users = [...new Set(reports.map(({ user }) => user))]
  return (
    <div aria-live="polite" className="max-h-64 shrink-0 space-y-2 overflow-auto empty:hidden">
      {users.map((user) => (
        <Notice
          key={user}
          onOpen={onOpen}
          reports={reports.filter((report) => report.user === user)}
          user={user}
        />
      ))}
    </div>
  )
}

type NoticeProps = { user: string; reports: readonly UserReport[]; onOpen: OpenUserDialog }

/** Everything that happened to one user: each change in a line, what it means said once. */
function Notice({ user, reports, onOpen }: NoticeProps) {
  const dismiss = useAct(dismissUserReports)
  const isWarning = reports.some((report) => report.isWarning)
  const lines = [...new Set(reports.flatMap((report) => report.lines))]
  const [newest, ...older] = reports
  return (
    <section
      aria-label={`What happened to ${visibleText(user)}`}
      className="flex gap-3 rounded border border-line bg-panel py-2.5 ps-3 pe-1.5"
    >
      <span className={isWarning ? 'flex h-5 text-warning' : 'flex h-5 text-success'}>
        {isWarning ? <WarningIcon /> : <CheckIcon />}
      </span>
      <div className="min-w-0 flex-1 space-y-1">
        <p className="break-words font-medium">{newest && <Sentence text={newest.text} />}</p>
        {older.length > 0 && (
          <details className="text-sm">
            <summary className="w-max rounded-sm py-3 text-muted hover:text-text xs:py-0">
              {counted(older.length, 'earlier change')}
            </summary>
            <ul className="space-y-1 pt-1">
              {older.map((report) => (
                <li className="break-words" key={report.id}>
                  <Sentence text={report.text} />
                </li>
              ))}
            </ul>
          </details>
        )}
        {lines.map((line) => (
          <p className="max-w-[90ch] text-muted text-sm" key={line}>
            <SafeText text={line} />
          </p>
        ))}
        <div className="flex flex-wrap gap-2 pt-1 empty:hidden">
          {reports.some((report) => report.offersPassword) && (
            <Button onClick={() => onOpen({ kind: 'password', user })} size="small">
              Change password
            </Button>
          )}
          {reports.map((report) => (
            <GiveBack key={report.id} report={report} />
          ))}
        </div>
      </div>
      <IconButton
        icon={<CloseIcon />}
        label="Dismiss this report"
        onClick={() => dismiss(user)}
        size="small"
      />
    </section>
  )
}

/** Privileges that a change took away can be given back from its report. */
function GiveBack({ report }: { report: UserReport }) {
  const giveBack = useAct(giveBackPrivileges)
  const write = useUserWrite(() => {})
  if (report.lost.length === 0) return null
  return (
    <div>
      <div className="mb-3 empty:hidden">
        <WriteNote
          {...write.shown(
            'Not all privileges were given back.',
            async () => 'Try again: nothing is granted twice.',
          )}
        />
      </div>
      <Button
        busy={write.isBusy}
        onClick={() => void write.start(() => giveBack(report))}
        size="small"
      >
        Give privileges back
      </Button>
    </div>
  )
}
