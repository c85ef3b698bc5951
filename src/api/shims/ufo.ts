/**
 * Replaces the package `ufo`, with which ofetch joins addresses and adds queries on request. The
 * client always passes whole addresses. With `destr` it would take the login over its budget.
 */
export function withBase(): never {
  throw new Error('the client names whole addresses')
}

export function withQuery(): never {
  throw new Error('the client writes its own queries')
}
