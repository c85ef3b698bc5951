/**
 * The server's text when it lacks the transaction at which a proof should start: `ErrIllegalState`
 * of embedded/store.
 */
export const illegalState = /illegal state/i
