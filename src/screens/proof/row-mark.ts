import type { CheckedRow, RowMark } from '~/atoms/rows/row-marks'
import { formatTx } from '~/lib/text'
import { type Judged, toneOf, unchecked } from '~/proof/verdict'
import type { RowMark as GridMark } from '~/ui/grid/cell'
import { reasonWords } from '~/words/refusal'

/**
 * What was found out about a row, as the grid shows it; undefined for nothing to show.
 * @param judged the verdict by what is known of its history now
 */
export function gridMark(mark: RowMark, judged: Judged | null): GridMark | undefined {
  if (mark.verdict === null || judged === null) {
    return { tone: toneOf(unchecked), label: `Not verified: ${'why' in mark ? mark.why : ''}` }
  }
  // The bar above the screen says so of the whole database.
  if (judged.cause === 'broken') return undefined
  return { tone: toneOf(judged), label: labelOf(mark, judged) }
}

function labelOf(mark: CheckedRow, { cause }: Judged): string {
  const { tx, gap = '', columns = [], reason = '', why = '' } = mark
  const written = `tx ${formatTx(tx ?? '0')}`
  switch (cause) {
    case 'whole':
      return `Verified in this browser: written in ${written}`
    case 'open':
      return `In part, ${written}: ${gap}`
    case 'late':
      return `Not checked: written in ${written}, compared with nothing recorded`
    case 'different':
      return `Not as shown: ${columns.join(', ')}`
    case 'outdated':
      return `Written again since, in ${written}: ${columns.join(', ')}`
    case 'refused':
    case 'redescribed':
      return `Refused: ${reasonWords(reason).what}`
    case 'forgotten':
      return 'Of a history that was forgotten: verify it again'
    case 'none':
      return `Not provable: ${why}`
    default:
      return `First contact: written in ${written}`
  }
}
