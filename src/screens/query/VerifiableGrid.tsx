import { useAtomValue, useSetAtom } from 'jotai'
import { useMemo } from 'react'
import { isBrokenAtom } from '~/atoms/broken'
import type { OutputEntry } from '~/atoms/output'
import { openRowProofAtom, rowProofsAtom } from '~/atoms/row-marks'
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
  const canVerify = rowRefusal(entry, result) === undefined
  const verify = (row: number) => void open(entry, row)
  const onLetter = (letter: string, row: number) => {
    if (letter !== 'v' || !canVerify) return false
    verify(row)
    return true
  }
  return (
    <ResultGrid
      label={`Rows of result ${entry.number}`}
      onLetter={onLetter}
      onMark={verify}
      result={result}
      {...(canVerify ? { onSelect, selected } : {})}
      {...(mark ? { mark } : {})}
    />
  )
}

/** What was verified of each row, if anything; a history that is broken takes the green away. */
function useMarks({ number, database }: OutputEntry) {
  const { marks } = useAtomValue(rowProofsAtom)(number)
  const isBroken = useAtomValue(isBrokenAtom)(database)
  return useMemo(() => {
    if (marks.size === 0) return undefined
    return (row: number) => {
      const mark = marks.get(row)
      const isGood = mark?.kind === 'verified' || mark?.kind === 'partly'
      return mark && !(isBroken && isGood) ? gridMark(mark) : undefined
    }
  }, [marks, isBroken])
}
