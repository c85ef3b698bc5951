import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { useAct } from '~/core/act'
import { timezoneAtom } from '~/core/page-view'
import { databaseIdAtom } from '~/core/session/session'
import { counted, formatTx } from '~/lib/text'
import { formatMoment } from '~/lib/time'
import { readVerifierKey } from '~/proof/checkpoint'
import { openProofDrawer } from '~/trust/proof-drawer'
import type { Sighting, TrustRecord, Witness } from '~/trust/trust-record'
import { trustRecordsAtom } from '~/trust/trusted-states'
import { fullNameOf, nameOfWitness, sightingsOf } from '~/trust/witness-record'
import { pinWitness, unpinWitness } from '~/trust/witnesses'
import { AskDialog } from '~/ui/AskDialog'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { CopyButton } from '~/ui/CopyButton'
import { ErrorNote } from '~/ui/ErrorNote'
import { fileName, saveFile } from '~/ui/file'
import { GuideLink } from '~/ui/GuideLink'
import { Hash } from '~/ui/Hash'
import { ErrorIcon } from '~/ui/Icon'
import { SafeName, SafeText } from '~/ui/SafeText'
import { Skeleton } from '~/ui/Skeleton'
import { spanWords, witnessFindingWords, witnessKeyRefusal } from '~/words/witness'
import { KeyForm } from '../KeyForm'
import { Checkpoints } from './Checkpoints'

/** What auditors that run elsewhere have seen of the histories here. */
export function WitnessesPane() {
  const records = useAtomValue(trustRecordsAtom)
  if (records === null) return <Skeleton label="Reading the witnesses" lines={4} />
  const { witnesses, sightings, keeping } = records
  return (
    <div className="grid grid-cols-1 gap-5">
      <p className="max-w-[680px] text-muted">
        An auditor elsewhere signs what it has seen of a history. Its checkpoints show whether you
        are shown the same one. <GuideLink to="verify-witnesses">What witnesses show</GuideLink>
      </p>
      {keeping !== 'kept' && (
        <p className="text-warning">Witnesses are kept in memory only and end with this page.</p>
      )}
      <section aria-labelledby="witnesses" className="grid grid-cols-1 gap-2">
        <h2 className="font-medium" id="witnesses">
          Pinned witnesses
        </h2>
        {witnesses.length === 0 && <p className="text-muted">No witness is pinned.</p>}
        {witnesses.map((witness) => (
          <WitnessCard
            key={witness.key}
            records={records.records}
            sightings={sightings.filter((one) => one.witness === witness.key)}
            witness={witness}
          />
        ))}
      </section>
      <PinForm pinned={witnesses} />
      <Checkpoints />
    </div>
  )
}

type CardProps = {
  witness: Witness
  sightings: readonly Sighting[]
  records: readonly TrustRecord[]
}

function WitnessCard({ witness: { key, at }, sightings, records }: CardProps) {
  const timezone = useAtomValue(timezoneAtom)
  const { origin, server } = useAtomValue(databaseIdAtom)('')
  const [isAsked, setAsked] = useState(false)
  // Those of a trusted state that was forgotten say nothing about the one that is there now.
  const present = records.flatMap((record) => sightingsOf(record, sightings))
  const isHere = ({ id }: Sighting) => id.origin === origin && id.server === server
  const own = present.filter(isHere)
  const elsewhere = present.length - own.length
  return (
    <article
      aria-label={fullNameOf(key)}
      className="grid grid-cols-1 gap-2 rounded border border-line bg-panel px-4 py-3"
    >
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h3 className="min-w-0 break-all font-medium">
          <SafeName text={nameOfWitness(key)} />
        </h3>
        <code translate="no" className="font-mono text-muted text-sm">
          {key.split('+')[1]}
        </code>
        <span className="ms-auto flex flex-wrap items-center gap-2">
          <CopyButton text={key} what={`the key of ${nameOfWitness(key)}`} />
          <Button onClick={() => setAsked(true)} size="small" variant="quiet">
            Unpin…
          </Button>
        </span>
      </header>
      <p className="text-muted text-sm">Pinned {formatMoment(at, timezone)}</p>
      {own.length === 0 && (
        <p className="text-muted text-sm">
          None of its checkpoints was compared with a history of this server.
        </p>
      )}
      {own.map((one) => (
        <Seen key={one.id.database} sighting={one} />
      ))}
      {elsewhere > 0 && (
        <p className="text-muted text-sm">
          Also compared on other servers: {counted(elsewhere, 'database')}.
        </p>
      )}
      {isAsked && <UnpinDialog of={key} onClose={() => setAsked(false)} />}
    </article>
  )
}

/** What was proven of the checkpoints of one database, and what contradicts. */
function Seen({ sighting }: { sighting: Sighting }) {
  const timezone = useAtomValue(timezoneAtom)
  const { id, seen, at } = sighting
  const [first, last] = [seen[0], seen.at(-1)]
  return (
    <div className="grid grid-cols-1 gap-1.5 text-sm">
      {first && last && (
        <p>
          <SafeName text={id.database} />: {counted(seen.length, 'checkpoint')} of this history
          proven here, {spanWords({ first: first.txId, last: last.txId })}.{' '}
          <span className="text-muted">Last {formatMoment(at, timezone)}</span>
        </p>
      )}
      {sighting.found && <FindingNote sighting={sighting} />}
    </div>
  )
}

function FindingNote({ sighting: { witness, id, seen, found } }: { sighting: Sighting }) {
  const open = useAct(openProofDrawer)
  if (!found) return null
  const { kind, txId, before, signed, other, notes, verification } = found
  const name = nameOfWitness(witness)
  const later = seen.find((one) => BigInt(one.txId) > BigInt(txId))?.txId ?? null
  const isOfServer = kind === 'differs'
  const saved = fileName(`checkpoint ${id.database} tx ${txId} ${name}`, 'txt')
  return (
    <div className="grid grid-cols-1 gap-1.5 rounded border border-line bg-page px-3 py-2.5">
      <p>
        <Badge icon={<ErrorIcon />} tone={isOfServer ? 'error' : 'warning'}>
          {isOfServer ? 'Different' : 'Contradicts itself'}
        </Badge>
      </p>
      <p className={isOfServer ? 'text-error' : undefined}>
        <SafeText text={witnessFindingWords(found, name, later)} />
      </p>
      <p>
        Signed for tx {formatTx(txId)} of <SafeName text={id.database} />:{' '}
        <Hash hash={signed} what="hash that the witness signed" />
      </p>
      <p>
        {isOfServer ? 'In this history: ' : `Signed before, for tx ${formatTx(before ?? txId)}: `}
        <Hash hash={other} what={isOfServer ? 'hash in this history' : 'hash signed before'} />
      </p>
      <p className="flex flex-wrap gap-2">
        <Button onClick={() => saveFile(saved, notes.join('\n'), 'text/plain')} size="small">
          Save what it signed
        </Button>
        {verification && (
          <Button onClick={() => void open({ verification })} size="small">
            Show proof
          </Button>
        )}
      </p>
    </div>
  )
}

function UnpinDialog({ of, onClose }: { of: string; onClose: () => void }) {
  const unpin = useAct(unpinWitness)
  return (
    <AskDialog
      action="Unpin"
      description="What was proven of its checkpoints is removed here, and so is what contradicts. Trusted states and incidents stay. A line stays in the log."
      failure={{
        title: 'This browser could not save the change.',
        notDone: 'Nothing was changed.',
      }}
      isDanger
      onAction={() => unpin(of)}
      onClose={onClose}
      title="Unpin this witness?"
    >
      <p className="break-all">
        <SafeText text={fullNameOf(of)} />
      </p>
    </AskDialog>
  )
}

/** The key of a witness: pasted, or its file. */
function PinForm({ pinned }: { pinned: readonly Witness[] }) {
  const pin = useAct(pinWitness)
  const [isLost, setLost] = useState(false)
  const take = async (given: string) => {
    setLost(false)
    const found = await readVerifierKey(given).catch(() => ({ none: 'unloaded' }))
    if ('none' in found) return { problem: witnessKeyRefusal(found.none) }
    if (pinned.some(({ key }) => key === found.key.text)) {
      return { problem: 'This witness is pinned already.' }
    }
    try {
      await pin(found.key.text)
      return { isTaken: true }
    } catch {
      setLost(true)
      return {}
    }
  }
  return (
    <KeyForm
      action="Pin"
      advice="Get its key from those who run the auditor, not through this server."
      field={{ label: 'Verifier key', placeholder: 'auditor.example+1a2b3c4d+AbCd…', rows: 2 }}
      file={{
        accept: '*/*',
        action: 'Choose a key file…',
        label: 'Key file',
        sizeLimit: 4_096,
        refusal: witnessKeyRefusal('not-a-key'),
      }}
      id="pin-witness"
      isPrivate={(text) => /PRIVATE[+ ]KEY/.test(text)}
      onText={take}
      title="Pin a witness"
    >
      {isLost && (
        <ErrorNote
          advice="Allow this page to store data, then try again."
          notDone="The witness is not pinned."
          title="This browser could not save the key."
        />
      )}
    </KeyForm>
  )
}
