import { useAtomValue } from 'jotai'
import { useEffect, useRef, useState } from 'react'
import type { ScriptPlan } from '~/atoms/scripts/script-file'
import { scriptImport } from '~/atoms/scripts/script-import'
import { readEntryLimitAtom } from '~/atoms/tables/entry-limit'
import { importRefusalAtom, newTableRefusalAtom } from '~/atoms/users/privileges'
import { useAct } from '~/core/act'
import { type Encoding, encodings } from '~/lib/encoding'
import { formatSize } from '~/lib/size'
import { counted, formatCount } from '~/lib/text'
import { type ScriptDialect, scriptDialects } from '~/sql/script-dialect'
import { type DecimalChoice, decimalChoices } from '~/sql/script-types'
import { Button } from '~/ui/Button'
import { Checkbox } from '~/ui/Checkbox'
import { Dialog } from '~/ui/Dialog'
import { ErrorNote } from '~/ui/ErrorNote'
import { FileDrop } from '~/ui/FileDrop'
import { ProgressBar } from '~/ui/ProgressBar'
import { SafeName } from '~/ui/SafeText'
import { Select } from '~/ui/Select'
import { TextArea } from '~/ui/TextArea'
import { encodingNames } from '../tables/import/FormatFields'
import { ImportedBefore, UnfinishedImports } from '../upload/KnownUploads'
import { RunReport } from './RunReport'
import { StatementList } from './StatementList'
import { type ReadScript, useScript } from './use-script'

// Outside React: the file that was dropped.

type Props = { database: string; dropped: File | null; onClose: () => void }

/** What becomes of each statement of a script, before anything is sent. */
export function SetupScript({ database, dropped, onClose }: Props) {
  const of = useScript(database)
  const { script, bytes } = of
  const [isConfirmed, setConfirmed] = useState(false)
  const start = useAct(scriptImport.start)
  const reopen = useAct(scriptImport.reopen)
  const limit = useAtomValue(useAtomValue(readEntryLimitAtom)(database))
  const mayNot = useAtomValue(importRefusalAtom)
  const noTables = useAtomValue(newTableRefusalAtom)
  const first = useRef(dropped)
  const { choose } = of
  useEffect(() => {
    const file = first.current
    first.current = null
    if (file) void choose(file)
  })
  const judged = script?.judged
  const dangers = judged?.index.dangers ?? []
  const items = judged?.index.items ?? 0
  const reason =
    mayNot ??
    noTables ??
    (bytes !== null
      ? 'The script is being read.'
      : !judged
        ? 'The script could not be read.'
        : script?.before
          ? 'This script was brought before: decide first.'
          : items === 0
            ? 'Nothing of it can be sent.'
            : dangers.length > 0 && !isConfirmed
              ? 'Confirm first what it destroys.'
              : undefined)
  const begin = () => {
    if (!script || !judged) return
    const { survey, there, disordered } = judged
    const plan: ScriptPlan = {
      database,
      into: database,
      file: survey.id,
      items,
      leftOut: [],
      ...script.reading,
      decimals: script.decimals,
      there,
      disordered,
      entriesEach: limit,
    }
    void start({ file: script.file, script: judged }, plan)
  }
  const goOn = async () => {
    const record = script?.before
    if (!script || !record) return
    const same = await of.asBefore(record)
    if (same) of.setFailure(await reopen({ file: script.file, script: same }, record))
  }
  const showReport = async () => {
    const record = script?.before
    const same = record && (await of.asBefore(record))
    if (same) of.report(same)
  }
  return (
    <Dialog
      description={
        script === null ? (
          <>
            Into <SafeName text={database} />. The file stays on this computer. Nothing is sent
            before you have seen what becomes of each statement.
          </>
        ) : (
          <>
            <SafeName text={script.file.name} /> into <SafeName text={database} />
          </>
        )
      }
      footer={
        <>
          <Button onClick={script === null ? onClose : of.forget}>
            {script === null ? 'Cancel' : 'Choose another script'}
          </Button>
          {script && (
            <Button disabledReason={reason} onClick={begin} variant="primary">
              {items > 0
                ? `Run ${counted(items, 'row or statement', 'rows and statements')}`
                : 'Run'}
            </Button>
          )}
        </>
      }
      onClose={onClose}
      open
      persistent={bytes !== null}
      title="Bring a script"
      width="wide"
    >
      <div className="space-y-4">
        {of.failure !== null && <ErrorNote notDone="Nothing was sent." title={of.failure} />}
        {script === null && bytes === null && <ChooseScript database={database} onFile={choose} />}
        {bytes !== null && (
          <ReadingNote bytes={bytes} onStop={of.forget} size={script?.file.size ?? 0} />
        )}
        {script && judged && (
          <>
            <Choices isBusy={bytes !== null} onChange={of.change} script={script} />
            {script.before && (
              <ImportedBefore
                onContinue={() => void goOn()}
                onStartOver={of.decideAgain}
                record={script.before}
                words={scriptImport.words}
              />
            )}
            {script.before?.progress.fates &&
              (script.report ? (
                <RunReport
                  database={database}
                  progress={script.before.progress}
                  source={{ file: script.file, script: script.report }}
                />
              ) : (
                <Button
                  disabledReason={bytes === null ? undefined : 'The script is being read.'}
                  onClick={() => void showReport()}
                >
                  Show what became of each statement
                </Button>
              ))}
            {judged.survey.brokenLine !== null && (
              <p className="text-sm text-warning">
                Line {formatCount(judged.survey.brokenLine)} has bytes that are no text in this
                encoding. Choose another if they are text; as text they are not sent.
              </p>
            )}
            {dangers.length > 0 && (
              <Dangers dangers={dangers} isConfirmed={isConfirmed} onConfirm={setConfirmed} />
            )}
            {!script.report && (
              <StatementList file={script.file} judged={judged} key={script.reading.dialect} />
            )}
          </>
        )}
      </div>
    </Dialog>
  )
}

type ChooseProps = { database: string; onFile: (file: File) => void }

function ChooseScript({ database, onFile }: ChooseProps) {
  const [text, setText] = useState('')
  const reason = text.trim() === '' ? 'Paste the script first.' : undefined
  return (
    <>
      <FileDrop
        accept=".sql,.dump,.txt,application/sql,text/plain"
        action="Choose file"
        label="SQL script"
        onFile={onFile}
      >
        or drop it here: what pg_dump, mysqldump, SQLite’s .dump or immudb wrote, up to 128 MiB.
      </FileDrop>
      <TextArea
        bare
        label="Script"
        mono
        onChange={setText}
        placeholder="… or paste SQL here"
        rows={5}
        value={text}
      />
      <Button
        disabledReason={reason}
        onClick={() => onFile(new File([text], 'pasted.sql', { type: 'application/sql' }))}
      >
        Read the pasted script
      </Button>
      <UnfinishedImports where={{ kind: 'scripts', database }} words={scriptImport.words} />
    </>
  )
}

type ReadingProps = { bytes: number; size: number; onStop: () => void }

function ReadingNote({ bytes, size, onStop }: ReadingProps) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <div className="min-w-0 flex-1">
        <ProgressBar isResting={false} label="Read" share={size === 0 ? 0 : bytes / size} />
        <p className="pt-1 text-muted text-sm" role="status">
          Reading {formatSize(size)}…
        </p>
      </div>
      <Button onClick={onStop} size="small">
        Stop
      </Button>
    </div>
  )
}

const dialectNames: Readonly<Record<ScriptDialect, string>> = {
  immudb: 'immudb',
  postgres: 'PostgreSQL',
  mysql: 'MySQL or MariaDB',
  sqlite: 'SQLite',
  standard: 'Other SQL',
}

const decimalNames: Readonly<Record<DecimalChoice, string>> = {
  FLOAT: 'as FLOAT (about 15 digits)',
  VARCHAR: 'as VARCHAR (every digit)',
}

type ChoicesProps = {
  script: ReadScript
  isBusy: boolean
  onChange: ReturnType<typeof useScript>['change']
}

function Choices({ script, isBusy, onChange }: ChoicesProps) {
  const busy = isBusy ? 'The script is being read.' : undefined
  return (
    <div className="grid grid-cols-1 gap-3 xs:grid-cols-3">
      <Select
        disabledReason={busy}
        label="Written for"
        labelled
        onChange={(value) =>
          onChange({ dialect: scriptDialects.find((one) => one === value) ?? 'standard' })
        }
        options={scriptDialects.map((value) => ({ value, label: dialectNames[value] }))}
        value={script.reading.dialect}
        wide
      />
      <Select
        disabledReason={busy}
        label="Encoding"
        labelled
        onChange={(value) =>
          onChange({ encoding: encodings.find((one) => one === value) ?? 'utf-8' })
        }
        options={encodings.map((value: Encoding) => ({ value, label: encodingNames[value] }))}
        value={script.reading.encoding}
        wide
      />
      <Select
        disabledReason={busy}
        label="DECIMAL and NUMERIC"
        labelled
        onChange={(value) =>
          onChange({ decimals: decimalChoices.find((one) => one === value) ?? 'FLOAT' })
        }
        options={decimalChoices.map((value) => ({ value, label: decimalNames[value] }))}
        value={script.decimals}
        wide
      />
    </div>
  )
}

type DangersProps = {
  dangers: readonly { number: number; text: string }[]
  isConfirmed: boolean
  onConfirm: (is: boolean) => void
}

const mostDangers = 20

function Dangers({ dangers, isConfirmed, onConfirm }: DangersProps) {
  const more = dangers.length - mostDangers
  return (
    <section aria-label="What the script destroys" className="rounded border border-warning p-3">
      <p className="font-medium">
        {dangers.length === 1
          ? 'One statement destroys what is there:'
          : `${formatCount(dangers.length)} statements destroy what is there:`}
      </p>
      <ul className="max-h-32 overflow-auto py-1 text-sm">
        {dangers.slice(0, mostDangers).map(({ number, text }) => (
          <li className="[overflow-wrap:anywhere]" key={number}>
            Statement {formatCount(number + 1)}: <SafeName text={text} />
          </li>
        ))}
        {more > 0 && <li className="text-muted">and {formatCount(more)} more</li>}
      </ul>
      <Checkbox checked={isConfirmed} label="Run these too" onChange={onConfirm} />
    </section>
  )
}
