import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { useAct } from '~/core/act'
import { formatSize } from '~/lib/size'
import { formatCount } from '~/lib/text'
import { cutText } from '~/lib/visible-text'
import type { Proved } from '~/trust/checkpoint-proofs'
import {
  type CheckpointRun,
  cancelCheckpoints,
  checkpointRunAtom,
  loadCheckpoints,
} from '~/trust/checkpoint-run'
import {
  addressHere,
  findHostCheckpoints,
  largestFile,
  loadCheckpointsAt,
  loadHostCheckpoints,
  tooLarge,
} from '~/trust/checkpoint-sources'
import { nameOfWitness } from '~/trust/witness-record'
import { Badge } from '~/ui/Badge'
import { Button } from '~/ui/Button'
import { ErrorNote } from '~/ui/ErrorNote'
import { Field } from '~/ui/Field'
import { FileDrop } from '~/ui/FileDrop'
import { readChosenBytes } from '~/ui/file'
import { ProgressBar } from '~/ui/ProgressBar'
import { SafeName, SafeText } from '~/ui/SafeText'
import { Sentence } from '~/ui/Sentence'
import { addressRefusals, checkpointProblem, contentWords, provedWords } from '~/words/witness'

/** Loads checkpoints from a file or the host of this page, and says what was proven. */
export function Checkpoints() {
  const run = useAtomValue(checkpointRunAtom)
  const load = useAct(loadCheckpoints)
  const choose = (file: File) =>
    load({ name: file.name, read: () => readChosenBytes(file, largestFile, tooLarge) })
  return (
    <section
      aria-labelledby="checkpoints"
      className="grid grid-cols-1 gap-3 rounded border border-line bg-panel px-4 py-3"
    >
      <h2 className="font-medium" id="checkpoints">
        Compare checkpoints
      </h2>
      <p className="max-w-[680px] text-muted text-sm">
        The server must prove for each checkpoint that it lies in the history that this browser
        follows.
      </p>
      <FileDrop
        accept="*/*"
        action="Choose checkpoints…"
        label="File with checkpoints"
        onFile={(file) => void choose(file)}
      >
        or drop the file here.
      </FileDrop>
      <FromHost />
      <Run run={run} />
    </section>
  )
}

type Host = Awaited<ReturnType<typeof findHostCheckpoints>>

/** Characters of a name. */
const longestName = 200

/** What the host of this page serves, and any other address of its origin. */
function FromHost() {
  const find = useAct(findHostCheckpoints)
  const load = useAct(loadHostCheckpoints)
  // Undefined until the host was asked.
  const [host, setHost] = useState<Host>()
  const [isBusy, setBusy] = useState(false)
  const look = async () => {
    setBusy(true)
    setHost(await find())
    setBusy(false)
  }
  return (
    <>
      <div>
        <Button busy={isBusy} onClick={() => void look()}>
          List those beside this page
        </Button>
      </div>
      {host && host.files.length > 0 && (
        <section aria-labelledby="served" className="grid grid-cols-1 gap-1">
          <h3 className="text-sm" id="served">
            Served beside this page
          </h3>
          <ul
            aria-labelledby="served"
            className="max-h-72 overflow-auto rounded border border-line"
          >
            {host.files.map((file) => (
              <li
                className="flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-t px-3 py-1.5 text-sm first:border-t-0"
                key={file.name}
              >
                <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
                  <SafeText text={cutText(file.origin, longestName)} />{' '}
                  <span className="text-muted">
                    <SafeText text={cutText(file.name, longestName)} />, {formatSize(file.size)}
                  </span>
                </span>
                <Button
                  aria-label={`Compare ${cutText(file.name, longestName)}`}
                  onClick={() => void load(file)}
                  size="small"
                >
                  Compare
                </Button>
              </li>
            ))}
          </ul>
          {host.isCut && (
            <p className="text-muted text-sm">The folder has more files than listed.</p>
          )}
        </section>
      )}
      {host?.files.length === 0 && (
        <p className="max-w-[680px] text-muted text-sm">
          The folder beside this page has no file of checkpoints. Those of an auditor of several
          servers are in a folder for each server.
        </p>
      )}
      {host === null && (
        <p className="max-w-[680px] text-muted text-sm">
          Nothing is served beside this page. With{' '}
          <code className="xs:whitespace-nowrap" translate="no">
            webconsole --checkpoints DIR
          </code>{' '}
          it lists the files of a folder here.
        </p>
      )}
      <Address />
    </>
  )
}

function Address() {
  const load = useAct(loadCheckpointsAt)
  const [text, setText] = useState('')
  const [error, setError] = useState<string>()
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const found = addressHere(text)
        if ('none' in found) return setError(addressRefusals[found.none])
        void load(found.address)
      }}
    >
      <Field
        autoComplete="off"
        error={error}
        label="Address on this site"
        mono
        onChange={(next) => {
          setText(next)
          setError(undefined)
        }}
        placeholder="/checkpoints/ledger"
        trailing={
          <Button size="small" type="submit" variant="quiet">
            Fetch and compare
          </Button>
        }
        value={text}
      />
    </form>
  )
}

/** What is under way, or what came of it. */
function Run({ run }: { run: CheckpointRun }) {
  switch (run.kind) {
    case 'none':
      return null
    case 'reading':
    case 'signatures':
    case 'proofs':
      return <UnderWay run={run} />
    case 'cancelled':
      return <p role="status">Cancelled. Nothing was compared.</p>
    case 'unread':
      return <ErrorNote notDone={`Source: ${cutText(run.name, longestName)}`} title={run.problem} />
    case 'refused': {
      const { problem } = run
      const name = problem.witness === undefined ? undefined : nameOfWitness(problem.witness)
      return (
        <ErrorNote
          notDone={`Nothing of “${cutText(run.name, longestName)}” was compared.`}
          title={checkpointProblem(problem, name)}
        />
      )
    }
    case 'done':
      return <Done run={run} />
  }
}

type Pending = Extract<CheckpointRun, { kind: 'reading' | 'signatures' | 'proofs' }>

const phases = {
  reading: 'Reading',
  signatures: 'Checking signatures of',
  proofs: 'Proving checkpoints of',
} as const

function UnderWay({ run }: { run: Pending }) {
  const cancel = useAct(cancelCheckpoints)
  const { kind, name } = run
  const [done, all] = kind === 'reading' ? [0, 0] : [run.done, run.all]
  return (
    <div className="grid grid-cols-1 gap-2">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <p className="min-w-0 flex-1 break-all" role="status">
          {phases[kind]} “<SafeText text={cutText(name, longestName)} />”
          {kind === 'signatures' && ` (${Math.floor((done / all) * 100)} %)`}
          {kind === 'proofs' && `: ${formatCount(done)} of ${formatCount(all)}`}…
        </p>
        <Button onClick={() => cancel()} size="small">
          Cancel
        </Button>
      </div>
      {all > 0 && <ProgressBar label="Compared checkpoints" share={done / all} />}
    </div>
  )
}

function Done({ run }: { run: Extract<CheckpointRun, { kind: 'done' }> }) {
  const { name, content, results } = run
  return (
    <div className="grid grid-cols-1 gap-2" role="status">
      <p className="text-sm [overflow-wrap:anywhere]">
        <b className="font-medium">
          <SafeText text={cutText(name, longestName)} />
        </b>
        : <Sentence text={contentWords(content).join(' ')} />
      </p>
      <ul aria-label="Compared checkpoints" className="grid grid-cols-1 gap-2">
        {results.map((one) => (
          <Result key={JSON.stringify([one.witness, one.id])} of={one} />
        ))}
      </ul>
      {results.length === 0 && <p>Nothing was compared.</p>}
    </div>
  )
}

function Result({ of }: { of: Proved }) {
  const witness = nameOfWitness(of.witness)
  const { tone, word, text } = provedWords(of, witness)
  return (
    <li className="grid grid-cols-1 gap-1.5 rounded border border-line bg-page px-3 py-2.5">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <b className="break-all font-medium">
          <SafeName text={of.id.database} />
        </b>
        <span className="break-all text-sm">
          <SafeName text={witness} />
        </span>
        <Badge tone={tone}>{word}</Badge>
      </p>
      <p className="text-sm">
        <Sentence text={text} />
      </p>
    </li>
  )
}
