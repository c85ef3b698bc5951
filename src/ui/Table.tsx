import type { ReactNode } from 'react'
import { cx } from './cx'

/** The title of a column, with what else its head has, such as a width. */
type Title = string | { title: ReactNode; look?: string; isUnseen?: boolean }

type TableProps = {
  /** Read out, and not shown. */
  caption: string
  titles: readonly (Title | null)[]
  /** Rows with a `th` that names each, and `td`. Their looks come from here where they have none. */
  children: ReactNode
  look?: string
  headLook?: string
  /** Cells keep off a border around the table. */
  isBoxed?: boolean
}

/** Classes of a cell are stronger than these. */
const looks = [
  '[:where(&_th)]:text-start [:where(&_th)]:font-normal',
  '[:where(&>thead)]:text-muted [:where(&>thead)]:text-xs [:where(&>thead)]:wrap-normal',
  '[:where(&>tbody>tr)]:border-line/55 [:where(&>tbody>tr)]:border-t [:where(&>tbody>tr)]:align-top',
].join(' ')
const plain =
  '[:where(&_:is(th,td))]:py-1 [:where(&_:is(th,td))]:pe-3 [:where(&_:is(th,td):last-child)]:pe-0'
const boxed = '[:where(&_:is(th,td))]:px-2 [:where(&_:is(th,td))]:py-1'

/** A small table: all of its rows are drawn. A title that is null is left out. */
export function Table({ caption, titles, children, look, headLook, isBoxed }: TableProps) {
  return (
    <table className={cx('w-full text-sm', looks, isBoxed ? boxed : plain, look)}>
      <caption className="sr-only">{caption}</caption>
      <thead className={headLook}>
        <tr>
          {titles.map((of, at) => {
            if (of === null) return null
            const { title, look, isUnseen } = typeof of === 'string' ? { title: of } : of
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place.
              <th className={look} key={at} scope="col">
                {isUnseen ? <span className="sr-only">{title}</span> : title}
              </th>
            )
          })}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}
