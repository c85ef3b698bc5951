/** Said of a proof that holds although the server's tree over all transactions lags behind. */
export const lagWords =
  'The server’s tree over all transactions lags behind: it ended earlier than it could. The proof goes through the chain of transactions instead, and holds. If it stays so, ask who runs the server.'
