import { useAtomValue } from 'jotai'
import { useState } from 'react'
import type { History, RevisionContent } from '~/atoms/revisions/history'
import {
  checkRestore,
  forgetRestore,
  lastRestoreAtom,
  planRestore,
  type RestorePlan,
  restoreName,
  staysDeleted,
} from '~/atoms/revisions/restore'
import { insertOf, jsonOf, revisionsExport } from '~/atoms/revisions/revision-export'
import { openRevisionProof, revisionQueriesAtom } from '~/atoms/revisions/revision-list'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import { useAct } from '~/core/act'
import { useExport } from '~/core/files/use-export'
import type { RevisionLine } from '~/core/revisions/revisions'
import { sentence } from '~/core/session/failure-words'
import { keyToAddress } from '~/immudb/key-address'
import { rowToAddress } from '~/immudb/row-address'
import { pathTo } from '~/lib/paths'
import { shownStatement } from '~/sql/names'
import { Boundary } from '~/ui/Boundary'
import { Button } from '~/ui/Button'
import { copyText } from '~/ui/clipboard'
import { ExportBar } from '~/ui/ExportBar'
import { CopyIcon, RefreshIcon, ShieldIcon } from '~/ui/Icon'
import { Menu } from '~/ui/Menu'
import { TxLink } from '~/ui/TxLink'
import { showToast } from '~/ui/toast'
import { WriteNote } from '~/ui/WriteNote'
import { Receipt } from '../proof/Receipt'
import { useLine, useLineSeconds } from './line-times'
import { RestoreDialog } from './RestoreDialog'

type Props = {
  history: History
  number: number
  /** The revision that is drawn beside it; 0 for none. */
  against: number
}

/** What can be done with a revision and with all of them. */
export function RevisionActions({ history, number, against }: Props) {
  const openProof = useAct(openRevisionProof)
  const forget = useAct(forgetRestore)
  const refusal = useAtomValue(writeRefusalAtom)
  const prepare = useAct(planRestore)
  const [planned, setPlanned] = useState<Planned | null>(null)
  const [isPlanning, setPlanning] = useState(false)
  const restore = async () => {
    forget()
    setPlanning(true)
    const why = (error: unknown) => ({ why: sentence(error) })
    setPlanned({ number, plan: await prepare(history, number).catch(why) })
    setPlanning(false)
  }
  const queries = useAtomValue(revisionQueriesAtom)(history)
  const { data: content } = useAtomValue(queries.content(String(number)))
  const { kind } = history.subject
  const isEmpty = content !== undefined && content.parts.length === 0
  const line = useLine(history, number)
  const secondsOf = useLineSeconds(history, line ? [line] : [])
  const drawn = {
    number,
    against,
    content: content ?? null,
    line: line ? { ...line, seconds: secondsOf(line) } : null,
  }
  // Only a document must be there to be restored.
  const newest = useLine(history, kind === 'document' ? history.count : number)
  const isGone = kind === 'document' && newest?.kind === 'deleted'
  const reason = isGone
    ? 'This document was deleted, and immudb does not take it back under its old id.'
    : isEmpty
      ? 'This revision has no content that could be written again.'
      : refusal
  return (
    <div className="grid gap-2 px-4 py-3">
      <div className="flex flex-wrap items-center gap-2">
        <Button icon={<ShieldIcon />} onClick={() => void openProof(history, drawn)} size="small">
          Verify
        </Button>
        <Button
          disabledReason={reason}
          icon={<RefreshIcon />}
          busy={isPlanning}
          onClick={() => void restore()}
          size="small"
        >
          Restore…
        </Button>
        <CopyMenu content={content} history={history} line={line} number={number} />
        <ExportBar
          {...useExport(revisionsExport(history))}
          formats={formats}
          title="Every revision with its content"
        />
      </div>
      {isGone && <p className="text-sm">{staysDeleted}</p>}
      <Restored history={history} isAsked={planned !== null} />
      {planned && <RestoreDialog {...planned} history={history} onClose={() => setPlanned(null)} />}
    </div>
  )
}

type Planned = { readonly number: number; readonly plan: RestorePlan | { why: string } }

/** The receipt of the last restore, or that its outcome is not known. */
function Restored({ history, isAsked }: { history: History; isAsked: boolean }) {
  const { plan, state } = useAtomValue(lastRestoreAtom)(history.subject)
  const check = useAct(checkRestore)
  const { database } = history.subject
  if (state.kind === 'unknown' && plan && !isAsked) {
    return (
      <WriteNote
        database={database}
        notDone="Nothing was restored."
        notKnown={`revision ${plan.number} was restored`}
        onCheck={() => void check()}
        state={state}
      />
    )
  }
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm empty:hidden" role="status">
      {state.kind === 'committed' && (
        <>
          <span>
            Restored in <TxLink database={database} id={state.value.tx} />.
          </span>
          <Boundary fallback={() => null}>
            <Receipt database={database} of={restoreName(history.subject)} tx={state.value.tx} />
          </Boundary>
        </>
      )}
    </div>
  )
}

/** The address of a revision, for others; for a document that of its transaction, if it is known. */
function linkTo({ subject }: History, number: number, id: string | undefined): string {
  const { database: db } = subject
  const rev = String(number)
  const path =
    subject.kind === 'row'
      ? pathTo('query', { db, table: subject.table, row: rowToAddress(subject.key), rev })
      : subject.kind === 'key'
        ? pathTo('keys', { db, key: keyToAddress(subject.key), rev, dialog: 'history' })
        : pathTo('transactions', id === undefined ? { db } : { db, id })
  const { origin, pathname } = window.location
  const mount = pathname.replace(/\/(query|keys|tx|tables|compare)?\/?(index\.html)?$/, '')
  return `${origin}${mount}${path}`
}

type CopyProps = Omit<Props, 'against'> & {
  content: RevisionContent | undefined
  line: RevisionLine | undefined
}

/** Copies a revision. */
function CopyMenu({ history, number, content, line }: CopyProps) {
  const { row } = history
  const tx = line?.tx ?? undefined
  const copy = async (text: string) => {
    const isCopied = await copyText(text)
    if (isCopied) showToast({ kind: 'success', text: 'Copied.' })
    else showToast({ kind: 'error', text: 'The browser did not let this be copied.' })
  }
  const action = (label: string, onSelect: () => void) =>
    ({ kind: 'action', label, onSelect }) as const
  const own = content
    ? [
        action('Copy as JSON', () => void copy(jsonOf([{ number, ...content }]))),
        ...(row && content.parts.length > 0
          ? [
              action(
                'Copy as INSERT',
                () => void copy(shownStatement(() => insertOf(row.table, content.parts))),
              ),
            ]
          : []),
      ]
    : []
  return (
    <Menu
      entries={[
        action('Copy the link', () => void copy(linkTo(history, number, tx))),
        // Last, because they come with the content and must push nothing from under a pointer.
        ...own,
      ]}
      label="Copy"
      trigger={
        <Button icon={<CopyIcon />} size="small" variant="quiet">
          Copy
        </Button>
      }
    />
  )
}

const formats = [
  { format: 'csv', label: 'CSV', detail: 'for spreadsheets' },
  { format: 'json', label: 'JSON', detail: 'numbers with all their digits' },
] as const
