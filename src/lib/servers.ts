/** A server of the list that the console's host gives; `id` changes with its address. */
export type Server = {
  readonly name: string
  readonly id: string
  /** For display only: the console reaches it through its host. */
  readonly address: string
}

export type ServerList = { readonly version: string; readonly servers: readonly Server[] }

/** What a storage name of one server ends with; without a list of servers names have no such end. */
export function placeOf(server: Server | null): string {
  return server ? ` @${server.id}` : ''
}

/** Names by its id the server that a call is meant for: a host that has another one there refuses. */
export const serverHeader = 'Webconsole-Server'
