/** For a proof that holds although the server's tree over all transactions lags behind. */
export const lagWords =
  'The server’s tree over all transactions lags behind: it ends earlier than it could. The proof goes through the chain of transactions instead, and holds. If this continues, ask the operator of the server.'

/** For a first contact against which proofs have held, and which none has advanced. */
export const confirmedWords =
  'Everything verified so far was compared with the state that the server itself gave at first contact. It counts as consistent once a proof has advanced that state, which comes with the next transaction.'

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
    'the answer left out the other entries of its transaction, so another entry with the same key cannot be ruled out',
  before:
    'the transactions before those in the file were read by an earlier audit, and are not in the file',
  header: 'the answer did not give the entries, so nothing is said about them',
  tree: 'The proof leads through the tree over all transactions. Only reading the transactions shows whether their chain has the same one. A deep audit reads them all, and the check of every transaction as it arrives reads new ones.',
}

const ofCollection = 'the name of the collection is the server’s word'

/** What is open, as the end of a sentence; `tree` is a sentence of its own. */
export function openWords(name: OpenName, kind: string): string {
  return name === 'description' && kind === 'document' ? ofCollection : words[name]
}
