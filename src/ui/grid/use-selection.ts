import { useRef } from 'react'
import type { Action } from '~/lib/shortcuts'

type Content = {
  rowCount: number
  selected?: ReadonlySet<number>
  onSelect?: (rows: ReadonlySet<number>) => void
}

/** Which rows are chosen, and how the keyboard and pointer choose. */
export function useSelection({ rowCount, selected = new Set(), onSelect }: Content) {
  const last = useRef<number>(null)
  /** Turns a row round, or chooses all from the last one turned up to it. */
  const choose = (row: number, isRange: boolean) => {
    const rows = new Set(selected)
    if (isRange && last.current !== null) {
      const [from, to] = [Math.min(last.current, row), Math.max(last.current, row)]
      for (let one = from; one <= to; one += 1) rows.add(one)
    } else if (!rows.delete(row)) rows.add(row)
    last.current = row
    onSelect?.(rows)
  }
  const chooseAll = () => {
    const isWhole = selected.size === rowCount
    onSelect?.(new Set(isWhole ? [] : Array.from({ length: rowCount }, (_, row) => row)))
  }
  /** Answers whether the action was one of choosing rows. */
  const act = (action: Action<'grid'> | undefined, row: number): boolean => {
    if (!onSelect) return false
    if (action === 'chooseAll') chooseAll()
    else if (action === 'choose' || action === 'chooseRange') choose(row, action === 'chooseRange')
    else return false
    return true
  }
  return { choose, act }
}
