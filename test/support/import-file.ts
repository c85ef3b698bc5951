import { type CsvFormat, type CsvRecord, csvReader } from '~/lib/csv'
import type { ImportSource } from '~/sql/import-rows'
import { firstNulls, type Survey, surveyor } from '~/sql/import-survey'

export const commas: CsvFormat = { separator: ',', quote: '"' }

/** How a file with commas and a header is read before anybody chose. */
export const plainSource: ImportSource = {
  format: commas,
  encoding: 'utf-8',
  firstLine: 1,
  hasHeader: true,
  width: 2,
  fillsShort: false,
  nulls: firstNulls(),
  takesGuards: false,
}

/** All records of a text. */
export function recordsOf(text: string, format = commas, firstLine = 1): CsvRecord[] {
  const reader = csvReader(format, firstLine)
  return [...reader.read(text), ...reader.end()]
}

/** What stands in a text with a header. */
export function surveyOf(text: string, changed: Partial<ImportSource> = {}): Survey {
  const source = { ...plainSource, ...changed }
  const records = recordsOf(text, source.format, source.firstLine)
  const width = Math.max(0, ...records.map(({ cells }) => cells.length))
  const looked = surveyor({ ...source, width })
  looked.add(records)
  return looked.found(true)
}
