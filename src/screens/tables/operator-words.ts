import type { Operator } from '~/sql/row-filter'
import { comparisonOperators as words } from '~/words/comparison-operators'

/** What the filter of a table calls its operators. */
export const operatorWords: Readonly<Record<Operator, string>> = {
  '=': words.equal,
  '!=': words['not equal'],
  '<': words.less,
  '<=': words['less or equal'],
  '>': words.greater,
  '>=': words['greater or equal'],
  IN: words['one of'],
  BETWEEN: words.between,
  CONTAINS: words.contains,
  'STARTS WITH': words['starts with'],
  LIKE: words.like,
  'NOT LIKE': words['not like'],
  'IS NULL': words.null,
  'IS NOT NULL': words['not null'],
}
