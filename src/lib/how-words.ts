const ways = {
  first: 'first contact',
  state: 'proven from the one before',
  import: 'taken over from elsewhere',
} as const

/** How a point came to be trusted. */
export function howWords(how: keyof typeof ways): string {
  return ways[how]
}
