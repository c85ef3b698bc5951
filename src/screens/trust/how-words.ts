import type { How } from '~/atoms/trust-record'

const ways: Readonly<Record<How, string>> = {
  first: 'first contact',
  state: 'proven from the one before',
  import: 'taken over from elsewhere',
}

/** How a point came to be trusted. */
export function howWords(how: How): string {
  return ways[how]
}
