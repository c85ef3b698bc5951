import { useRef, useState } from 'react'
import {
  changed,
  guessReading,
  type JudgedScript,
  judgeScript,
  type ScriptPlan,
  type ScriptReading,
  type ScriptSurvey,
  surveyScript,
} from '~/atoms/scripts/script-file'
import { readThere } from '~/atoms/scripts/script-import'
import { useAct } from '~/core/act'
import { sentence } from '~/core/session/failure-words'
import { isSameFile, UnreadableFile } from '~/core/upload-progress'
import { findUpload, type UploadRecord } from '~/core/upload-records'
import type { DecimalChoice } from '~/sql/script-types'

/** What is shown of a script while it is read, and when it is. */
export type ReadScript = {
  readonly file: File
  readonly reading: ScriptReading
  readonly decimals: DecimalChoice
  /** Missing while it is judged. */
  readonly judged?: JudgedScript
  /** It was brought before, and what becomes of it now is not decided. */
  readonly before: UploadRecord<ScriptPlan> | null
  /** As it was judged then, once it is asked what became of each statement. */
  readonly report?: JudgedScript
}

/** Reads and judges a script, which can be stopped; what is chosen anew is read anew. */
export function useScript(database: string) {
  const [script, setScript] = useState<ReadScript | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [bytes, setBytes] = useState<number | null>(null)
  const control = useRef<AbortController | null>(null)
  const survey = useRef<{ file: File; found: ScriptSurvey } | null>(null)
  const find = useAct(findUpload<ScriptPlan>)
  const there = useAct(readThere)

  const forget = () => {
    control.current?.abort()
    control.current = null
    setScript(null)
    setFailure(null)
    setBytes(null)
  }

  async function surveyed(file: File, reading: ScriptReading, tell: (bytes: number) => void) {
    const known = survey.current
    const { dialect, encoding } = known?.found.reading ?? {}
    if (known?.file === file && dialect === reading.dialect && encoding === reading.encoding)
      return known.found
    const signal = control.current?.signal ?? new AbortController().signal
    const found = await surveyScript(file, reading, { signal, tell })
    if (found) survey.current = { file, found }
    return found
  }

  async function work(run: (mine: AbortController) => Promise<void>): Promise<void> {
    control.current?.abort()
    const mine = new AbortController()
    control.current = mine
    setFailure(null)
    setBytes(0)
    try {
      await run(mine)
    } catch (error) {
      if (control.current !== mine) return
      setFailure(error instanceof UnreadableFile ? error.message : sentence(error))
    } finally {
      if (control.current === mine) setBytes(null)
    }
  }

  const judge = async (
    mine: AbortController,
    next: Omit<ReadScript, 'judged' | 'before' | 'report'>,
  ) => {
    const tell = (read: number) => control.current === mine && setBytes(read)
    const half = (read: number) => tell(read / 2)
    const { file, reading, decimals } = next
    const found = await surveyed(file, reading, half)
    if (!found || control.current !== mine) return
    const tables = await there(database, found.names)
    const before = await find({ kind: 'scripts', database }, found.id)
    const rest = (read: number) => tell((file.size + read) / 2)
    const { signal } = mine
    const judged = await judgeScript(file, found, tables, { decimals }, { signal, tell: rest })
    if (judged && control.current === mine) setScript({ ...next, judged, before })
  }

  /** Reads a file as it is probably written. */
  const choose = (file: File) => {
    setScript(null)
    return work(async (mine) => {
      const reading = await guessReading(file)
      if (control.current !== mine) return
      const next = { file, reading, decimals: 'FLOAT' } as const
      setScript({ ...next, before: null })
      await judge(mine, next)
    })
  }

  /** Reads the same file in another way. */
  const change = (changed: Partial<ScriptReading & { decimals: DecimalChoice }>) => {
    if (script === null) return
    const { file, reading } = script
    const { decimals = script.decimals, ...other } = changed
    const next = { file, reading: { ...reading, ...other }, decimals }
    setScript({ ...next, before: null })
    void work((mine) => judge(mine, next))
  }

  /** The tables of a script as they were when it was begun before. */
  const asBefore = async (record: UploadRecord<ScriptPlan>): Promise<JudgedScript | null> => {
    if (script === null) return null
    const { file } = script
    const { dialect, encoding, decimals, there, disordered } = record.plan
    let judged: JudgedScript | null = null
    await work(async (mine) => {
      const tell = (read: number) => control.current === mine && setBytes(read)
      const found = await surveyed(file, { dialect, encoding }, tell)
      if (found && !isSameFile(found.id, record.plan.file)) throw new UnreadableFile(changed)
      const { signal } = mine
      judged =
        found && (await judgeScript(file, found, there, { decimals }, { signal, tell }, disordered))
    })
    return judged
  }

  const report = (judged: JudgedScript) => setScript((now) => now && { ...now, report: judged })
  const decideAgain = () =>
    setScript((now) => {
      if (now === null) return null
      const { report: _, ...rest } = now
      return { ...rest, before: null }
    })

  return {
    script,
    failure,
    bytes,
    choose,
    change,
    forget,
    asBefore,
    report,
    decideAgain,
    setFailure,
  }
}
