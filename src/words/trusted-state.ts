/** For a proof that holds although the server's tree over all transactions lags behind. */
export const lagWords =
  'The server’s tree over all transactions lags behind. The proof goes through their chain instead, and holds. If this continues, ask the operator.'

/** For a first contact against which proofs have held, and which none has advanced. */
export const confirmedWords =
  'Compared with the state that the server gave at first contact. It counts as consistent once a proof has advanced that state, with the next transaction.'

const ways = {
  first: 'first contact',
  state: 'advanced by proof',
  import: 'taken over from elsewhere',
} as const

/** How a state came to be trusted. */
export function howWords(how: keyof typeof ways): string {
  return ways[how]
}

/** What a proof leaves open, by the names of the engine; `header`: only its header is proven. */
type OpenName = 'description' | 'entries' | 'before' | 'tree' | 'header'

const words: Readonly<Record<OpenName, string>> = {
  description: 'the name and columns of the table are the server’s word',
  entries:
    'the other entries of its transaction were left out, so another with the same key cannot be ruled out',
  before: 'earlier transactions were read by an earlier audit and are not in the file',
  header: 'its entries were not given',
  tree: 'Proven by the tree. A deep audit also checks the chain.',
}

const ofCollection = 'the name of the collection is the server’s word'

/** What is open, as the end of a sentence; `tree` is a sentence of its own. */
export function openWords(name: OpenName, kind: string): string {
  return name === 'description' && kind === 'document' ? ofCollection : words[name]
}
