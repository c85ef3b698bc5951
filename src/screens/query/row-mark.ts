import type { RowMark } from '~/atoms/rows/marks'
import { reasonWords } from '~/lib/refusal-words'
import { formatTx } from '~/lib/text'
import type { RowMark as GridMark } from '~/ui/grid/cell'

/** What was verified of a row in a history that is followed no more. */
export const forgottenMark: GridMark = {
  tone: 'neutral',
  label: 'Of a history that was forgotten: verify it again',
}

/** What was found out about a row, as the grid shows it. */
export function gridMark(mark: RowMark): GridMark {
  switch (mark.kind) {
    case 'verified':
      return {
        tone: 'verified',
        label: `Verified in this browser: written in tx ${formatTx(mark.tx)}`,
      }
    case 'partly':
      return { tone: 'neutral', label: `In part, tx ${formatTx(mark.tx)}: ${mark.gap}` }
    case 'first':
      return { tone: 'neutral', label: `First contact: written in tx ${formatTx(mark.tx)}` }
    case 'late':
      return {
        tone: 'neutral',
        label: `Not checked: written in tx ${formatTx(mark.tx)}, compared with nothing recorded`,
      }
    case 'differs':
      return { tone: 'warning', label: `Proven, but not as shown: ${mark.columns.join(', ')}` }
    case 'refused':
      return {
        tone: mark.reason === 'schema-changed' ? 'warning' : 'error',
        label: `Refused: ${reasonWords(mark.reason).what}`,
      }
    case 'unproven':
      return { tone: 'neutral', label: `Not provable: ${mark.why}` }
    case 'failed':
      return { tone: 'neutral', label: `Not verified: ${mark.why}` }
  }
}
