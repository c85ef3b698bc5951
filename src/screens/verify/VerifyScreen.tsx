import { useState } from 'react'
import { technicalDetails } from '~/core/session/failure-words'
import { lazyWithRetry } from '~/ui/lazy-with-retry'
import { useSearchParam } from '~/ui/location'
import { SectionBoundary } from '~/ui/SectionBoundary'
import { Skeleton } from '~/ui/Skeleton'
import { Tabs } from '~/ui/Tabs'
import { AuditPane } from './audit/AuditPane'
import { CheckPane } from './check/CheckPane'
import { DamagePane } from './damage/DamagePane'
import { IncidentsPane } from './incidents/IncidentsPane'
import { SigningKeysPane } from './signing-keys/SigningKeysPane'
import { TrustedStatesPane } from './states/TrustedStatesPane'
import { WitnessesPane } from './witnesses/WitnessesPane'

const panes = [
  {
    id: 'points',
    label: 'Trusted states',
    Pane: TrustedStatesPane,
  },
  {
    id: 'check',
    label: 'Check',
    Pane: CheckPane,
  },
  {
    id: 'audit',
    label: 'Deep audit',
    Pane: AuditPane,
  },
  {
    id: 'evidence',
    label: 'Evidence',
    Pane: lazyWithRetry(() => import('./evidence/EvidencePane').then((part) => part.EvidencePane), {
      meanwhile: <Skeleton lines={4} />,
    }),
  },
  {
    id: 'witnesses',
    label: 'Witnesses',
    Pane: WitnessesPane,
  },
  {
    id: 'keys',
    label: 'Signing keys',
    Pane: SigningKeysPane,
  },
  {
    id: 'incidents',
    label: 'Incidents',
    Pane: IncidentsPane,
  },
  {
    id: 'damage',
    label: 'Damage',
    Pane: DamagePane,
  },
] as const

/** What this browser remembers of each history, and what can be checked against it. */
export default function VerifyScreen() {
  const [tab, setTab] = useSearchParam('tab')
  const [tx] = useSearchParam('tx')
  const [doc] = useSearchParam('doc')
  // An address that names an object opens the tab that checks it.
  const isNamed = tx !== undefined || doc !== undefined
  const value = panes.find(({ id }) => id === tab)?.id ?? (isNamed ? 'check' : 'points')
  // What was typed in one tab stays while another is looked at.
  const [visited, setVisited] = useState<ReadonlySet<string>>(new Set())
  const choose = (id: string) => {
    setVisited(new Set([...visited, value, id]))
    setTab(id, { replace: true })
  }
  return (
    <div className="max-w-[1040px] p-4 xs:p-6">
      <h1 className="font-medium text-xl print:hidden">Verify</h1>
      <p className="mb-3 max-w-[680px] text-muted print:hidden">
        Checks against the states that this browser trusts.
      </p>
      <Tabs
        label="Verify"
        onChange={choose}
        tabs={panes.map(({ id, label, Pane }) => ({
          id,
          label,
          content: (visited.has(id) || id === value) && (
            <div className="py-4">
              <SectionBoundary details={technicalDetails} resetKey={id} what={label}>
                <Pane />
              </SectionBoundary>
            </div>
          ),
        }))}
        value={value}
      />
    </div>
  )
}
