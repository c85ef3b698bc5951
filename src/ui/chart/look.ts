import { locale } from '~/lib/locale'
import { formatSize } from '~/lib/size'

/** What a line measures, which decides how its values are written. */
export type Unit = 'bytes' | 'perSecond'

/** Lines that can be told apart: by colour and by dashes, since colour alone says nothing. */
export const lineLooks: readonly { readonly colour: string; readonly dash: readonly number[] }[] = [
  { colour: '--chart-1', dash: [] },
  { colour: '--chart-2', dash: [8, 4] },
  { colour: '--chart-3', dash: [2, 3] },
  { colour: '--chart-4', dash: [10, 3, 2, 3] },
  { colour: '--chart-5', dash: [] },
  { colour: '--chart-6', dash: [8, 4] },
  { colour: '--chart-1', dash: [2, 3] },
  { colour: '--chart-2', dash: [10, 3, 2, 3] },
]

/** More lines than this cannot be told apart. */
export const mostLines = lineLooks.length

/** The colour variable and dashes of a line; they repeat when there are too many. */
export function lineLook(index: number) {
  const look = lineLooks[index % mostLines]
  if (!look) throw new RangeError('lines are counted from zero')
  return look
}

const twoDecimals = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 })
const twoDigits = new Intl.NumberFormat(locale, { maximumSignificantDigits: 2 })

/** A value with its unit: `20.4 KiB`, `0.017 a second`. */
export function formatValue(value: number, unit: Unit): string {
  return unit === 'bytes' ? formatSize(Math.round(value)) : `${formatRate(value)} a second`
}

/** A value on an axis, where there is little room. */
export function formatTick(value: number, unit: Unit): string {
  if (value === 0) return '0'
  return unit === 'bytes' ? formatSize(Math.round(value)) : formatRate(value)
}

function formatRate(value: number): string {
  return value < 1 ? twoDigits.format(value) : twoDecimals.format(value)
}
