import { useAtomValue, useSetAtom } from 'jotai'
import { giveBackAtom } from '~/atoms/permissions'
import { dismissReportAtom, type UserReport, userReportsAtom } from '~/atoms/user-reports'
import { visibleText } from '~/lib/visible-text'
import { Button } from '~/ui/Button'
import { CheckIcon, CloseIcon, WarningIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { SafeText } from '~/ui/SafeText'
import type { Open } from './opened'
import { useWrite } from './use-write'
import { WriteFailure } from './WriteFailure'

/** What changes led to, newest first, until each is put aside. */
export function UserReports({ onOpen }: { onOpen: Open }) {
  const reports = useAtomValue(userReportsAtom)
  return (
    <div aria-live="polite" className="shrink-0 space-y-2 empty:hidden">
      {reports.map((report) => (
        <Report key={report.id} onOpen={onOpen} report={report} />
      ))}
    </div>
  )
}

function Report({ report, onOpen }: { report: UserReport; onOpen: Open }) {
  const dismiss = useSetAtom(dismissReportAtom)
  const giveBack = useSetAtom(giveBackAtom)
  const write = useWrite(() => {})
  const { id, user, text, lines, isWarning, offersPassword, lost } = report
  return (
    <section
      aria-label={`What happened to ${visibleText(user)}`}
      className="flex gap-3 rounded border border-line bg-panel py-2.5 ps-3 pe-1.5"
    >
      <span className={isWarning ? 'flex h-5 text-warning' : 'flex h-5 text-success'}>
        {isWarning ? <WarningIcon /> : <CheckIcon />}
      </span>
      <div className="min-w-0 flex-1 space-y-1">
        <p className="break-words font-medium">
          <SafeText text={text} />
        </p>
        {lines.map((line) => (
          <p className="max-w-[90ch] text-muted text-sm" key={line}>
            <SafeText text={line} />
          </p>
        ))}
        <WriteFailure
          check={async () => 'Try again: nothing is given twice.'}
          notDone="Not all privileges were given back."
          write={write}
        />
        <div className="flex flex-wrap gap-2 pt-1 empty:hidden">
          {offersPassword && (
            <Button onClick={() => onOpen({ kind: 'password', user })} size="small">
              Change password
            </Button>
          )}
          {lost.length > 0 && (
            <Button
              busy={write.isBusy}
              onClick={() => void write.start(() => giveBack(report))}
              size="small"
            >
              Give privileges back
            </Button>
          )}
        </div>
      </div>
      <IconButton
        icon={<CloseIcon />}
        label="Dismiss this report"
        onClick={() => dismiss(id)}
        size="small"
      />
    </section>
  )
}
