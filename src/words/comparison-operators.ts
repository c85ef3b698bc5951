/**
 * How a value is compared, in the words of every form: the filter of a table and the search of
 * documents have the same ones.
 */
export const comparisonOperators = {
  equal: '=',
  'not equal': '≠',
  less: '<',
  'less or equal': '≤',
  greater: '>',
  'greater or equal': '≥',
  'one of': 'is one of',
  between: 'is between',
  contains: 'contains',
  'starts with': 'starts with',
  like: 'is like',
  'not like': 'is not like',
  null: 'is NULL',
  'not null': 'is not NULL',
} as const

/** How values are compared, whichever their words are. */
export type ComparisonOperator = keyof typeof comparisonOperators

/**
 * A comparison in words, such as `age ≥ 4`, `name contains “An”` or `age is between 3 and 5`.
 * @param values as they are shown, texts by `quoted`
 */
export function comparisonText(
  name: string,
  operator: ComparisonOperator,
  values: readonly string[],
): string {
  const shown = values.join(operator === 'between' ? ' and ' : ', ')
  return `${name} ${comparisonOperators[operator]} ${shown}`.trimEnd()
}

/** A text as a comparison shows it. */
export const quoted = (text: string) => `“${text}”`
