import { useAtomValue, useSetAtom } from 'jotai'
import { useMemo } from 'react'
import { type OutputEntry, shownHitAtom } from '~/atoms/output'
import { openRowProofAtom, rowProofsAtom, rowVerdictAtom } from '~/atoms/rows/marks'
import { actionOf } from '~/lib/shortcuts'
import type { ResultTable } from '~/sql/result'
import { ResultGrid } from './ResultGrid'
import { gridMark } from './row-mark'
import { rowRefusal } from './VerifyBar'

type Props = {
  entry: OutputEntry
  result: ResultTable
  selected: ReadonlySet<number>
  onSelect: (rows: ReadonlySet<number>) => void
}

/** The rows of a result, each with what this browser verified of it: `v` verifies the active one. */
export function VerifiableGrid({ entry, result, selected, onSelect }: Props) {
  const open = useSetAtom(openRowProofAtom)
  const mark = useMarks(entry)
  const found = useFound(entry)
  const canVerify = rowRefusal(entry, result) === undefined
  const verify = (row: number) => void open(entry, row)
  const onLetter = (letter: string, row: number) => {
    if (actionOf('grid', { key: letter }) !== 'verify' || !canVerify) return false
    verify(row)
    return true
  }
  return (
    <ResultGrid
      found={found}
      label={`Rows of result ${entry.number}`}
      onLetter={onLetter}
      onMark={verify}
      result={result}
      {...(canVerify ? { onSelect, selected } : {})}
      {...(mark ? { mark } : {})}
    />
  )
}

/** The head or value that a search of the output shows, if it is in this result. */
function useFound({ number }: OutputEntry) {
  const hit = useAtomValue(shownHitAtom)
  return useMemo(() => {
    if (hit?.entry !== number) return undefined
    if (hit.kind === 'column') return { row: null, column: hit.column }
    return hit.kind === 'cell' ? { row: hit.row, column: hit.column } : undefined
  }, [hit, number])
}

/** What was verified of each row, if anything. */
function useMarks({ number }: OutputEntry) {
  const { marks } = useAtomValue(rowProofsAtom)(number)
  const verdictOn = useAtomValue(rowVerdictAtom)
  return useMemo(() => {
    if (marks.size === 0) return undefined
    return (row: number) => {
      const mark = marks.get(row)
      return mark && gridMark(mark, verdictOn(mark))
    }
  }, [marks, verdictOn])
}
