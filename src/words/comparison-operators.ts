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
