import { useAtomValue } from 'jotai'
import { useId, useState } from 'react'
import type { Database } from '~/api/databases'
import { databaseAtom } from '~/atoms/session'
import { codePoints, isUnusualName } from '~/lib/database-name'
import { CloseIcon, WarningIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { SafeName } from '~/ui/SafeName'
import { Tabs } from '~/ui/Tabs'
import { DatabaseFacts } from './DatabaseFacts'
import { Operations } from './Operations'
import { ReportNote } from './ReportNote'
import { SettingsTab } from './SettingsTab'
import { StateBadge } from './StateBadge'
import { UseButton } from './UseButton'

type Props = {
  name: string
  /** Undefined when there is no such database in the list. */
  database: Database | undefined
  onClose: () => void
}

/** One database: what it is, what can be done to it, how it is set. */
export function DatabasePanel({ name, database, onClose }: Props) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="flex h-full min-h-0 flex-col rounded border border-line bg-panel"
    >
      <header className="flex items-start gap-2 border-line border-b px-4 py-3">
        <h2
          className="flex min-w-0 flex-1 flex-wrap items-center gap-2 break-all font-medium text-lg outline-none"
          id={id}
          ref={focusOnce}
          tabIndex={-1}
        >
          <SafeName text={name} />
          {database && <StateBadge database={database} />}
        </h2>
        <span className="-my-2 -me-2 xs:m-0">
          <IconButton
            icon={<CloseIcon />}
            label="Close the database"
            onClick={onClose}
            size="small"
          />
        </span>
      </header>
      {/* Outside of what scrolls, so that the result of a button further down is in sight. */}
      <ReportNote isDeleted={!database} name={name} />
      <div className="min-h-0 flex-1 overflow-auto">
        {database ? (
          <Known database={database} />
        ) : (
          <p className="p-4 text-muted">
            There is no database of this name that you have a permission on.
          </p>
        )}
      </div>
    </section>
  )
}

/** The panel comes after the list, so whoever opened it is brought to it. */
function focusOnce(heading: HTMLElement | null) {
  heading?.focus({ preventScroll: true })
}

function Known({ database }: { database: Database }) {
  const [tab, setTab] = useState('operations')
  return (
    <>
      <div className="flex flex-col gap-3 p-4">
        <Warnings database={database} />
        <DatabaseFacts database={database} />
        <div>
          <UseButton database={database} />
        </div>
      </div>
      <Tabs
        label="About the database"
        onChange={setTab}
        tabs={[
          { id: 'operations', label: 'Operations', content: <Operations database={database} /> },
          {
            id: 'settings',
            label: 'Settings',
            // Asked for only when looked at: the answer is that of all databases.
            content: tab === 'settings' && <SettingsTab database={database} />,
          },
        ]}
        value={tab}
      />
    </>
  )
}

function Warnings({ database: { name, loaded } }: { database: Database }) {
  const isOpen = useAtomValue(databaseAtom) === name
  return (
    <>
      {!loaded && (
        <p className="flex gap-2 text-sm text-warning">
          <WarningIcon className="mt-0.5 shrink-0" />
          {isOpen
            ? 'This tab uses it, and it is unloaded: load it or use another database.'
            : 'It is unloaded: load it to use it. Its data is kept.'}
        </p>
      )}
      {isUnusualName(name) && (
        <p className="flex gap-2 text-sm text-warning">
          <WarningIcon className="mt-0.5 shrink-0" />
          <span>Its name has characters that can look like others: {codePoints(name)}.</span>
        </p>
      )}
    </>
  )
}
