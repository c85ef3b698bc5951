import { useAtomValue } from 'jotai'
import { type FormEvent, useState } from 'react'
import { longestName, momentsAtom, type NamedMoment } from '~/atoms/moments/moments'
import {
  checkMoment,
  deleteMoment,
  importMoments,
  momentsFile,
  nameMoment,
  nameProblemAtom,
  notKept,
  readMomentsFile,
  renameMoment,
} from '~/atoms/moments/naming'
import { useAct } from '~/core/act'
import { asOfTxAtom, resolveTime } from '~/core/history/as-of'
import { presentTxAtom } from '~/core/history/newest-state'
import { timezoneAtom } from '~/core/page-view'
import { sentence } from '~/core/session/failure-words'
import { databaseAtom, databaseIdAtom } from '~/core/session/session'
import { momentForms, readTyped } from '~/immudb/moment'
import { hexOf } from '~/lib/bytes'
import { pathTo } from '~/lib/paths'
import { formatTx } from '~/lib/text'
import { formatMoment } from '~/lib/time'
import { txProblem } from '~/sql/time-travel'
import { type Comparison, isPastAgreementAtom } from '~/trust/compared-state'
import { openProofDrawer } from '~/trust/proof-drawer'
import { AskDialog } from '~/ui/AskDialog'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { Field } from '~/ui/Field'
import { FileDrop } from '~/ui/FileDrop'
import { readChosen, saveFile } from '~/ui/file'
import { Hash } from '~/ui/Hash'
import { DownloadIcon } from '~/ui/Icon'
import { Link } from '~/ui/Link'
import { SafeName, SafeText } from '~/ui/SafeText'
import { Sentence } from '~/ui/Sentence'
import { TxLink } from '~/ui/TxLink'
import { showToast } from '~/ui/toast'
import type { ComparisonWords } from '~/words/comparison'

export type NamedMomentsProps = {
  /** What an answer of the server says; given, because the screen shows such answers as well. */
  wordsOf: (answer: Comparison) => ComparisonWords
}

/** Names for states of the past, to return to them and to prove them again. */
export function NamedMoments({ wordsOf }: NamedMomentsProps) {
  const moments = useAtomValue(momentsAtom)
  if (moments === null) return null
  return (
    <section aria-labelledby="moments" className="grid grid-cols-1 gap-3">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h2 className="font-medium" id="moments">
          Named moments
        </h2>
        {moments.length > 0 && (
          <span className="ms-auto">
            <Button
              icon={<DownloadIcon />}
              onClick={() =>
                saveFile('named-moments.json', momentsFile(moments), 'application/json')
              }
              size="small"
            >
              Save all as a file
            </Button>
          </span>
        )}
      </header>
      <p className="max-w-[680px] text-muted text-sm">
        Proven transactions with a name. This browser keeps the hash of each.
      </p>
      <NameForm />
      {moments.length > 0 && (
        <ul aria-labelledby="moments" className="grid grid-cols-1 gap-2">
          {moments.map((moment) => (
            <Line key={JSON.stringify(moment)} moment={moment} wordsOf={wordsOf} />
          ))}
        </ul>
      )}
      <Import />
    </section>
  )
}

/** Names a transaction of the open database; the one that is looked at is filled in. */
function NameForm() {
  const database = useAtomValue(databaseAtom)
  const id = useAtomValue(databaseIdAtom)(database ?? '')
  const newest = useAtomValue(presentTxAtom)
  const past = useAtomValue(asOfTxAtom)
  const name = useAct(nameMoment)
  const problemOf = useAtomValue(nameProblemAtom)
  const [text, setText] = useState('')
  const [typed, setTyped] = useState<string | null>(null)
  const [isTried, setTried] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const find = useAct(resolveTime)
  const zone = useAtomValue(timezoneAtom)
  // What is “5 minutes ago” stays so while the form is filled in.
  const [now] = useState(Date.now)
  const tx = typed ?? past ?? newest
  const at = readTyped(tx, zone, now)
  const nameProblem = problemOf(text, id)
  const atProblem =
    at === null ? momentForms : at.kind === 'tx' ? txProblem(at.id, newest) : undefined
  if (database === null || newest === '0') return null
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    setRefusal(undefined)
    if (nameProblem !== undefined || atProblem !== undefined || at === null || isBusy) return
    setBusy(true)
    const found = at.kind === 'tx' ? { tx: at.id } : await find(at.text).catch(refused)
    const why = 'tx' in found ? await name(text, found.tx).catch(() => notKept) : found.problem
    setBusy(false)
    if (why !== null) return setRefusal(why)
    setText('')
    setTyped(null)
    setTried(false)
  }
  return (
    <form
      className="grid gap-x-3 gap-y-1 rounded border border-line bg-panel px-4 py-3 xs:grid-cols-[minmax(0,1fr)_10rem_auto]"
      onSubmit={(event) => void submit(event)}
    >
      <Field
        autoComplete="off"
        error={isTried ? nameProblem : undefined}
        label="Name of the moment"
        maxLength={longestName}
        onChange={setText}
        placeholder="before migration"
        value={text}
      />
      <Field error={atProblem} label="Transaction or time" onChange={setTyped} value={tx} />
      <div className="xs:mt-6">
        <Button busy={isBusy} type="submit">
          Prove and name it
        </Button>
      </div>
      {refusal !== undefined && (
        <p className="col-span-full text-error text-sm" role="alert">
          Not named. <Sentence text={refusal} />
        </p>
      )}
    </form>
  )
}

const refused = (error: unknown) => ({ problem: sentence(error) })

type LineProps = NamedMomentsProps & { moment: NamedMoment }

function Line({ moment, wordsOf }: LineProps) {
  const timezone = useAtomValue(timezoneAtom)
  const here = useAtomValue(databaseIdAtom)(moment.database)
  const remove = useAct(deleteMoment)
  const [isRenaming, setRenaming] = useState(false)
  const isHere =
    moment.server === '' ? here.origin === moment.origin : here.server === moment.server
  const forget = async () => {
    try {
      const undo = await remove(moment)
      const text = `The moment “${moment.name}” was deleted.`
      const back = () => void undo().catch(() => showToast({ kind: 'error', text: notKept }))
      showToast({ kind: 'success', text, action: { label: 'Undo', run: back } })
    } catch {
      showToast({ kind: 'error', text: notKept })
    }
  }
  return (
    <li className="grid grid-cols-1 gap-1.5 rounded border border-line bg-panel px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <h3 className="min-w-0 font-medium [overflow-wrap:anywhere]">
          {moment.isImported ? (
            `Transaction ${formatTx(moment.txId)}`
          ) : (
            <SafeText text={moment.name} />
          )}
        </h3>
        {moment.isImported && <Badge>From a file</Badge>}
        <span className="ms-auto flex flex-wrap gap-2">
          <Button onClick={() => setRenaming(true)} size="small" variant="quiet">
            Rename…
          </Button>
          <Button onClick={() => void forget()} size="small" variant="quiet">
            Delete
          </Button>
        </span>
      </div>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-sm">
        <span className="min-w-0 [overflow-wrap:anywhere]">
          <SafeName text={moment.database} />
        </span>
        {isHere ? (
          <TxLink database={moment.database} id={moment.txId} />
        ) : (
          <span className="font-mono">tx {formatTx(moment.txId)}</span>
        )}
        <Hash hash={hexOf(moment.txHash)} what={`hash of ${moment.name}`} />
        {!moment.isImported && <span>Named {formatMoment(moment.at, timezone)}</span>}
      </p>
      {moment.isImported && (
        <p className="text-muted text-sm [overflow-wrap:anywhere]">
          Called “<SafeText text={moment.name} />” and named {formatMoment(moment.at, timezone)}. No
          proof covers the name and this time, which came with the file.
        </p>
      )}
      {isHere ? (
        <Check moment={moment} wordsOf={wordsOf} />
      ) : (
        <p className="text-muted text-sm">
          Of another server: <SafeText text={moment.server || moment.origin} />
        </p>
      )}
      {isRenaming && <Rename moment={moment} onClose={() => setRenaming(false)} />}
    </li>
  )
}

/** Asks the server to prove again that the moment is part of the history. */
function Check({ moment, wordsOf }: LineProps) {
  const { database, txId } = moment
  const check = useAct(checkMoment)
  const open = useAct(openProofDrawer)
  const isPastAgreement = useAtomValue(isPastAgreementAtom)
  const [given, setGiven] = useState<Comparison | null>(null)
  const [isBusy, setBusy] = useState(false)
  const answer = isPastAgreement(given) ? null : given
  const verification = answer && 'verification' in answer ? answer.verification : null
  const words = answer && wordsOf(answer)
  const ask = async () => {
    setBusy(true)
    setGiven(await check(moment).catch((): Comparison => ({ kind: 'unknown', why: '' })))
    setBusy(false)
  }
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <Button busy={isBusy} onClick={() => void ask()} size="small">
          Check
        </Button>
        {verification && (
          <Button onClick={() => void open({ verification })} size="small">
            Show proof
          </Button>
        )}
        <Link
          className="px-1 text-primary text-sm underline"
          to={pathTo('query', { db: database, at: `tx:${txId}` })}
        >
          Open the database as of this moment
        </Link>
      </div>
      <p aria-live="polite" className="flex flex-wrap items-center gap-2 text-sm empty:hidden">
        {words && (
          <>
            <Badge tone={words.tone}>{words.word}</Badge>
            <span className="min-w-0 flex-1 basis-72">{words.text}</span>
          </>
        )}
      </p>
    </>
  )
}

function Rename({ moment, onClose }: { moment: NamedMoment; onClose: () => void }) {
  const rename = useAct(renameMoment)
  const problemOf = useAtomValue(nameProblemAtom)
  const [name, setName] = useState(moment.name)
  const [failure, setFailure] = useState<string>()
  const problem = problemOf(name, moment, moment)
  return (
    <AskDialog
      action="Rename"
      onAction={() =>
        rename(moment, name).catch(() => {
          setFailure(notKept)
          return false
        })
      }
      onClose={onClose}
      refusal={problem}
      title="Rename the moment"
      width="small"
    >
      <Field
        autoComplete="off"
        error={failure ?? problem}
        label="Name"
        maxLength={longestName}
        onChange={setName}
        value={name}
      />
    </AskDialog>
  )
}

/** Files larger than this hold no named moments. */
const sizeLimit = 1_000_000

/** Takes over the moments of a file, which prove nothing until they are checked. */
function Import() {
  const take = useAct(importMoments)
  const [said, setSaid] = useState<{ text: string; isProblem: boolean } | null>(null)
  const read = async (file: File) => {
    const tooLarge = 'This file is too large to hold named moments. Nothing was taken over.'
    const given = await readChosen(file, sizeLimit, tooLarge)
    const found = 'text' in given ? readMomentsFile(given.text) : given
    if ('problem' in found) return setSaid({ text: found.problem, isProblem: true })
    setSaid(
      await take(found.moments).then(
        (text) => ({ text, isProblem: false }),
        () => ({ text: notKept, isProblem: true }),
      ),
    )
  }
  return (
    <div className="grid grid-cols-1 gap-2">
      <FileDrop
        accept="application/json,.json"
        action="Choose a file…"
        label="File with named moments"
        onFile={(file) => void read(file)}
      >
        or drop saved moments here.
      </FileDrop>
      {said && (
        <p
          className={said.isProblem ? 'text-error text-sm' : 'text-sm'}
          role={said.isProblem ? 'alert' : 'status'}
        >
          {said.text}
        </p>
      )}
    </div>
  )
}
