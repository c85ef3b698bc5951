/** Said of a proof that holds although the server's tree over all transactions lags behind. */
export const lagWords =
  'The server’s tree over all transactions lags behind: it ended earlier than it could. The proof goes through the chain of transactions instead, and holds. If it stays so, ask who runs the server.'

const ways = {
  first: 'first contact',
  state: 'advanced by proof',
  import: 'taken over from elsewhere',
} as const

/** How a point came to be trusted. */
export function howWords(how: keyof typeof ways): string {
  return ways[how]
}
