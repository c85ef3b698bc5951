const ways = {
  first: 'first contact',
  state: 'advanced by proof',
  import: 'taken over from elsewhere',
} as const

/** How a point came to be trusted. */
export function howWords(how: keyof typeof ways): string {
  return ways[how]
}
