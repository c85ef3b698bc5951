import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { databaseAtom } from '~/atoms/session'
import { refreshStateAtom } from '~/atoms/state'
import { checkTrustAtom } from '~/atoms/trust/decisions'
import type { TrustRecord } from '~/atoms/trust/record'
import {
  incidentCountAtom,
  isTrustOpenAtom,
  trustAtom,
  trustRecordsAtom,
} from '~/atoms/trust/trust'
import { writtenOf } from '~/atoms/trust/written-point'
import { guidePath } from '~/lib/guide-anchors'
import { pathTo } from '~/lib/paths'
import { writePoints } from '~/lib/point-text'
import { counted } from '~/lib/text'
import { stateFileName, writeState } from '~/proof/immuclient-state'
import { Button } from '~/ui/Button'
import { CopyButton } from '~/ui/CopyButton'
import { DownloadIcon, RefreshIcon } from '~/ui/Icon'
import { Link } from '~/ui/Link'
import { SafeName } from '~/ui/SafeName'
import { Sheet } from '~/ui/Sheet'
import { fileName, saveFile } from '~/ui/save-file'
import { Moves } from './Moves'
import { PointFacts } from './PointFacts'
import { Standing } from './Standing'

/** What this browser knows of the history of the open database. */
export function TrustDrawer() {
  const database = useAtomValue(databaseAtom) ?? ''
  const trust = useAtomValue(trustAtom)
  const setOpen = useSetAtom(isTrustOpenAtom)
  const close = () => setOpen(false)
  const record = 'record' in trust ? trust.record : null
  return (
    <Sheet
      footer={<Actions record={record} />}
      onClose={close}
      open
      side="right"
      title={
        <>
          Trusted history of <SafeName text={database} />
        </>
      }
    >
      <div className="grid grid-cols-1 gap-6 p-4">
        <Standing trust={trust} />
        {record && <PointFacts record={record} trust={trust} />}
        <Limits onLeave={close} />
        {record && record.id.server !== '' && <ForImmuclient record={record} />}
        {record && <Moves record={record} />}
      </div>
    </Sheet>
  )
}

function Actions({ record }: { record: TrustRecord | null }) {
  const check = useSetAtom(checkTrustAtom)
  const refresh = useSetAtom(refreshStateAtom)
  const [isBusy, setBusy] = useState(false)
  const again = async () => {
    setBusy(true)
    await refresh()
    await check()
    setBusy(false)
  }
  return (
    <>
      <Button busy={isBusy} icon={<RefreshIcon />} onClick={() => void again()}>
        Check now
      </Button>
      {record && <Export record={record} />}
    </>
  )
}

function Export({ record }: { record: TrustRecord }) {
  const text = writePoints([writtenOf(record)])
  const name = fileName(`trusted-state-${record.id.database}`, 'txt')
  const save = () => saveFile(name, text, 'text/plain')
  return (
    <>
      <CopyButton size="normal" text={text} what="the trusted state" worded />
      <Button icon={<DownloadIcon />} onClick={save} variant="quiet">
        Save as text
      </Button>
    </>
  )
}

/** The way to the other tool that checks histories, from where this browser is. */
function ForImmuclient({ record: { id, point } }: { record: TrustRecord }) {
  return (
    <section aria-label="immuclient" className="flex items-start gap-2">
      <p className="min-w-0">
        immuclient and programs with the Go client continue from this state when the lines copied
        here are in their file{' '}
        <code className="break-all font-mono text-sm">{stateFileName(id.server)}</code>.
      </p>
      <CopyButton text={() => writeState({ ...id, ...point })} what="the lines for immuclient" />
    </section>
  )
}

/** What the mark does not mean, and the way out. */
function Limits({ onLeave }: { onLeave: () => void }) {
  const data = useAtomValue(trustRecordsAtom)
  const incidents = useAtomValue(incidentCountAtom)
  return (
    <section aria-label="What this means" className="grid gap-2">
      {data?.keeping === 'memory' && (
        <p className="rounded border border-warning/45 bg-warningtint px-3 py-2">
          This browser keeps nothing for this page: the trusted state is forgotten with this tab,
          and the next visit begins with a first contact again.
        </p>
      )}
      <p>
        This page came from the server that it checks, so whoever controls that server could have
        changed the page too; to be independent of it, open the console from another place or
        compare the trusted state with someone else’s.
      </p>
      {data !== null && data.unreadable.length > 0 && (
        <p className="rounded border border-warning/45 bg-warningtint px-3 py-2">
          {counted(data.unreadable.length, 'record')} in this browser cannot be read. Verify says
          what is done without {data.unreadable.length === 1 ? 'it' : 'them'}.
        </p>
      )}
      <p className="flex flex-wrap gap-x-4 gap-y-1">
        <Link className="text-primary underline" onClick={onLeave} to={pathTo('verify')}>
          All trusted states
        </Link>
        <Link
          className="text-primary underline"
          onClick={onLeave}
          to={pathTo('verify', { tab: 'incidents' })}
        >
          {incidents === 0 ? 'Incidents' : `Incidents: ${incidents}`}
        </Link>
        <Link className="text-primary underline" onClick={onLeave} to={guidePath('verify-means')}>
          What verifying means
        </Link>
      </p>
    </section>
  )
}
