import { type KeyboardEvent, useRef } from 'react'

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
  /** Answers whether the key was one for choosing rows. */
  const press = (event: KeyboardEvent, row: number): boolean => {
    if (!onSelect) return false
    const isAll = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'a'
    if (isAll) chooseAll()
    else if (event.key === ' ') choose(row, event.shiftKey)
    else return false
    return true
  }
  return { choose, press }
}
