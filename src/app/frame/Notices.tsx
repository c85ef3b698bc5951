import { useAtomValue } from 'jotai'
import { outageAtom, stateAtom } from '~/atoms/history/state'
import { databaseAtom, lostDatabaseAtom, troubleAtom, troublesAtom } from '~/atoms/session/session'
import { timezoneAtom } from '~/atoms/settings/view'
import { sentence } from '~/atoms/storage/failure'
import { noticeAtom } from '~/atoms/storage/notice'
import { formatClock } from '~/lib/text'
import { OfflineIcon, WarningIcon } from '~/ui/Icon'
import { SafeText } from '~/ui/SafeText'
import { DatabaseTrouble } from './DatabaseTrouble'

const storageNotices = {
  unavailable:
    'This browser keeps nothing for this page: settings and drafts last until the tab is closed.',
  full: 'This browser has no room left: the newest settings and drafts last until the tab is closed.',
}

/** Lines above the footer about things that concern every screen. */
export function Notices() {
  const outage = useAtomValue(outageAtom)
  const { dataUpdatedAt } = useAtomValue(stateAtom)
  const timezone = useAtomValue(timezoneAtom)
  const storage = useAtomValue(noticeAtom)
  const database = useAtomValue(databaseAtom)
  const lost = useAtomValue(lostDatabaseAtom)
  const trouble = useAtomValue(troubleAtom)
  const isLostGone = useAtomValue(troublesAtom).get(lost ?? '') === 'gone'
  return (
    <div aria-live="polite">
      {outage && (
        <p className="flex items-center gap-2 border-warning border-t bg-panel px-3 py-1.5 text-warning">
          <OfflineIcon />
          {sentence(outage)}{' '}
          {dataUpdatedAt > 0 && `What you see is from ${formatClock(dataUpdatedAt, timezone)}. `}
          The console keeps trying.
        </p>
      )}
      {lost !== null && database !== null && (
        <p className="flex items-center gap-2 border-line border-t bg-panel px-3 py-1.5">
          <WarningIcon />{' '}
          <SafeText
            text={`${lost} ${isLostGone ? 'does not exist any more' : 'could not be opened again'}. You are in ${database} now.`}
          />
        </p>
      )}
      {trouble && database !== null && <DatabaseTrouble database={database} trouble={trouble} />}
      {storage && (
        <p className="flex items-center gap-2 border-line border-t bg-panel px-3 py-1.5 text-muted">
          <WarningIcon /> {storageNotices[storage]}
        </p>
      )}
    </div>
  )
}
