import { eventExport } from '~/atoms/auditlog/event-export'
import { useExport } from '~/core/files/use-export'
import { Button } from '~/ui/Button'
import { ExportBar, lineFormats } from '~/ui/ExportBar'
import { RefreshIcon } from '~/ui/Icon'
import { useNarrow } from '~/ui/use-narrow'
import { useAuditAddress } from './address'
import { FilterForm } from './FilterForm'

const formats = [
  { format: 'csv', label: 'CSV', detail: 'for spreadsheets' },
  ...lineFormats,
] as const

type Props = { isBusy: boolean; onRenew: () => void }

/** What to show, and what to do with it. */
export function AuditBar({ isBusy, onRenew }: Props) {
  const isNarrow = useNarrow()
  const { filter, range } = useAuditAddress()
  const set = [...Object.values(filter), range.from, range.to].filter((one) => one !== null).length
  return (
    <header className="grid shrink-0 gap-2 border-line border-b px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h1 className="font-medium">Audit log</h1>
        <ExportBar
          {...useExport(eventExport(filter, range))}
          formats={formats}
          title="Every event of the filter and range"
        >
          {(button) => (
            <span className="ms-auto flex flex-wrap items-center gap-2">
              <Button
                busy={isBusy}
                icon={<RefreshIcon />}
                onClick={onRenew}
                size="small"
                variant="quiet"
              >
                Show the newest
              </Button>
              {button}
            </span>
          )}
        </ExportBar>
      </div>
      <details open={!isNarrow}>
        <summary className="cursor-pointer py-2 text-sm xs:hidden">
          Filter{set > 0 && ` (${set} set)`}
        </summary>
        <FilterForm key={JSON.stringify([filter, range])} />
      </details>
      <p className="text-muted text-xs">
        Reading adds events: the server records every page that is read. Logins carry no user, and
        the database is always empty. Session IDs are hidden.
      </p>
    </header>
  )
}
