import { useAtomValue } from 'jotai'
import { type ReactNode, useState } from 'react'
import { useAct } from '~/core/act'
import { timezoneAtom } from '~/core/page-view'
import { technicalDetails } from '~/core/session/failure-words'
import { databaseAtom } from '~/core/session/session'
import { pathTo } from '~/lib/paths'
import { formatMoment } from '~/lib/time'
import { writeEvidenceFile } from '~/trust/evidence-file'
import { dismissSwap, type ServerSwap } from '~/trust/incidents'
import { openProofDrawer } from '~/trust/proof-drawer'
import type { Break } from '~/trust/trust-record'
import type { Verification } from '~/trust/verification'
import { releaseWrites, writesHeldAtom } from '~/trust/write-block'
import { AskDialog } from '~/ui/AskDialog'
import { Boundary } from '~/ui/Boundary'
import { Button } from '~/ui/Button'
import { ErrorNote } from '~/ui/ErrorNote'
import { WarningIcon } from '~/ui/Icon'
import { Link } from '~/ui/Link'
import { SafeName, SafeText } from '~/ui/SafeText'
import { SaveButton } from '~/ui/SaveButton'
import { BrokenIcon } from '~/ui/TrustIcons'
import { breakWords, findingWords } from '~/words/broken-history'
import { VerifyPageOffer } from '../proof/VerifyPageOffer'
import { DecideDialog } from './DecideDialog'
import { type BrokenProps, Finding } from './Finding'

/**
 * What is wrong with the history of the open database, on every screen until it is dealt with. All
 * that it needs is loaded with it, because the server may not be there later to send more.
 */
export function BrokenBar({ broken, record }: BrokenProps) {
  const database = useAtomValue(databaseAtom) ?? ''
  const isSeen = broken.acknowledgedAt !== null
  const [isOpen, setOpen] = useState<boolean | null>(null)
  const isShown = isOpen ?? !isSeen
  const { title, what, means, todo } = findingWords(broken)
  return (
    <section
      aria-label="Broken history"
      className="flex max-h-[45vh] shrink-0 flex-col border-error border-b bg-error-tint text-text"
      data-broken={broken.kind}
    >
      <div className="flex min-h-8 shrink-0 items-center gap-2 bg-error ps-3 pe-1 text-page">
        <BrokenIcon className="shrink-0" size={20} />
        <p className="min-w-0 grow break-words py-1 font-medium" role="alert">
          BROKEN: the history of <SafeName text={database} /> {title}.
        </p>
        <button
          aria-expanded={isShown}
          className="h-11 shrink-0 rounded px-3 font-medium text-sm underline xs:h-7"
          onClick={() => setOpen(!isShown)}
          type="button"
        >
          {isShown ? 'Hide details' : 'Show details'}
        </button>
      </div>
      {isShown ? (
        <>
          <div className="flex min-h-0 flex-col overflow-auto px-3 pt-2">
            <p className="max-w-[110ch]">
              {what} {means}
            </p>
            <p className="mt-1 max-w-[110ch]">
              <span className="font-medium">What to do now:</span> {todo} Reading continues.
            </p>
            <div className="max-md:-order-1">
              <Finding broken={broken} />
            </div>
            <OtherFindings
              actions={(verification) => <Evidence verification={verification} />}
              findings={broken.kind === 'other-server' ? [] : (record?.others ?? [])}
            />
          </div>
          <Actions broken={broken} record={record} />
        </>
      ) : (
        isSeen && <Seen at={broken.acknowledgedAt ?? 0} />
      )}
    </section>
  )
}

function Seen({ at }: { at: number }) {
  const timezone = useAtomValue(timezoneAtom)
  return (
    <p className="px-3 py-1 text-sm">
      You chose at {formatMoment(at, timezone)} to keep the trusted state and continue reading.
    </p>
  )
}

function Actions({ broken, record }: BrokenProps) {
  const database = useAtomValue(databaseAtom) ?? ''
  const isHeld = useAtomValue(writesHeldAtom)(database) !== undefined
  const [dialog, setDialog] = useState<'decide' | 'write' | null>(null)
  const close = () => setDialog(null)
  return (
    <div className="flex shrink-0 flex-wrap items-center gap-2 px-3 py-2">
      {broken.verification && <Evidence verification={broken.verification} />}
      <Button onClick={() => setDialog('decide')} size="small">
        Resolve…
      </Button>
      {isHeld && (
        <Button onClick={() => setDialog('write')} size="small">
          Write anyway…
        </Button>
      )}
      <Link className="px-1 text-primary underline" to={pathTo('verify', { tab: 'damage' })}>
        What to do, step by step
      </Link>
      <Link className="px-1 text-primary underline" to={pathTo('verify')}>
        Compare trusted states
      </Link>
      <Boundary
        fallback={(error, retry) => <NotShown error={error} onRetry={retry} />}
        resetKey={dialog ?? ''}
      >
        {dialog === 'decide' && <DecideDialog broken={broken} onClose={close} record={record} />}
        {dialog === 'write' && <WriteDialog database={database} onClose={close} />}
      </Boundary>
    </div>
  )
}

/** In the place of a dialog; the bar and its evidence stay. */
function NotShown({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div className="basis-full">
      <ErrorNote
        advice="Save the evidence before the page is loaded again."
        details={technicalDetails(error)}
        notDone="Nothing was decided, and writes stay blocked."
        onRetry={onRetry}
        title="The dialog could not be shown."
      />
    </div>
  )
}

type OfVerification = { verification: Verification }

function Evidence({ verification }: OfVerification) {
  return (
    <>
      {verification.isTooLarge ? (
        <span className="text-sm">The answer was too large to keep, so no file can show it.</span>
      ) : (
        <SaveEvidence verification={verification} />
      )}
      <ShowProof verification={verification} />
    </>
  )
}

/** Each step with what went into it, the failed one at the end. */
function ShowProof({ verification }: OfVerification) {
  const open = useAct(openProofDrawer)
  return (
    <Button onClick={() => void open({ verification })} size="small">
      Show proof
    </Button>
  )
}

function SaveEvidence({ verification }: OfVerification) {
  const write = useAct(writeEvidenceFile)
  return (
    <SaveButton
      details={technicalDetails}
      saved={<VerifyPageOffer />}
      size="small"
      text="Save evidence"
      write={async () => [await write(verification)]}
    />
  )
}

type Props = {
  findings: readonly Break[]
  /** What can be done with the evidence of one. */
  actions: (verification: Verification) => ReactNode
}

/** What else was found wrong in a history, and not ended. */
function OtherFindings({ findings, actions }: Props) {
  const timezone = useAtomValue(timezoneAtom)
  if (findings.length === 0) return null
  return (
    <section aria-label="Other findings" className="my-2 text-sm">
      <p className="font-medium">Also found, and still to be decided about after this:</p>
      <ul>
        {findings.map((finding) => (
          <li
            className="flex flex-wrap items-center gap-2 py-1"
            key={`${finding.at} ${finding.what}`}
          >
            <span>
              {formatMoment(finding.at, timezone)}, in <SafeText text={finding.what} />:{' '}
              {findingWords(finding).what}
            </span>
            {finding.verification && actions(finding.verification)}
          </li>
        ))}
      </ul>
    </section>
  )
}

type WriteDialogProps = { database: string; onClose: () => void }

/** Lets this tab write to a database whose history is broken. */
export function WriteDialog({ database, onClose }: WriteDialogProps) {
  const release = useAct(releaseWrites)
  return (
    <AskDialog
      action="Allow writing"
      confirm={database}
      description="Its history is broken. What you write now goes into a history that this browser does not follow. It makes it harder to tell what happened. This choice covers what was found so far, in this tab until you reload it."
      isDanger
      onAction={() => {
        release(database)
        onClose()
      }}
      onClose={onClose}
      title={
        <>
          Write to <SafeName text={database} /> anyway?
        </>
      }
    />
  )
}

type PlainBarProps = { kind: string; onRetry: () => void }

/** Shown when the bar fails, so that a broken history is never hidden. */
export function PlainBar({ kind, onRetry }: PlainBarProps) {
  const database = useAtomValue(databaseAtom) ?? ''
  return (
    <section
      aria-label="Broken history"
      className="flex shrink-0 flex-wrap items-center gap-2 bg-error ps-3 pe-1 text-page"
      data-broken={kind}
    >
      <p className="min-w-0 grow basis-80 break-words py-1 font-medium" role="alert">
        BROKEN: the history of <SafeName text={database} /> {breakWords(kind).title}. More about it
        could not be shown. Writes stay blocked unless you allowed them.
      </p>
      <button
        className="h-11 shrink-0 rounded px-3 font-medium text-sm underline xs:h-7"
        onClick={onRetry}
        type="button"
      >
        Try again
      </button>
    </section>
  )
}

/** Says that one accepted server answers in the place of another, until that is dismissed. */
export function SwapBar({ swap: { before, now } }: { swap: ServerSwap }) {
  const dismiss = useAct(dismissSwap)
  const timezone = useAtomValue(timezoneAtom)
  const { server, at, reason } = now
  return (
    <section
      aria-label="Another server"
      className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-warning/45 border-b bg-warning-tint px-3 py-1.5"
    >
      <WarningIcon className="shrink-0 text-warning" size={20} />
      <p className="min-w-0 flex-1 basis-80 [overflow-wrap:anywhere]" role="status">
        <b className="font-medium">Another accepted server answers now.</b>{' '}
        <code translate="no" className="font-mono text-sm">
          <SafeText text={server || 'One without a name'} />
        </code>{' '}
        answers in place of{' '}
        <code translate="no" className="font-mono text-sm">
          <SafeText text={before || 'one without a name'} />
        </code>
        . Known here since {formatMoment(at, timezone)}
        {reason ? (
          <>
            : <SafeText text={reason} />
          </>
        ) : (
          '.'
        )}
      </p>
      <Link className="text-primary underline" to={pathTo('verify', { tab: 'points' })}>
        Show accepted servers
      </Link>
      <Button onClick={() => dismiss()} size="small">
        Dismiss
      </Button>
    </section>
  )
}
