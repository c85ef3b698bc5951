/**
 * Stands in for the package of this name below ofetch, which joins addresses and adds queries with
 * it when it is asked to. The client names whole addresses and never asks.
 */
export function withBase(): never {
  throw new Error('the client names whole addresses')
}

export function withQuery(): never {
  throw new Error('the client writes its own queries')
}
