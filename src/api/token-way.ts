/**
 * Where the console's handler takes a token (`embed/token.go`). `Authorization` is left to a proxy in
 * front that asks for a password of its own: a token there would take the password's place.
 */
const ownHeader = 'Webconsole-Token'

/** How tokens travel to the server that answers. immudb itself knows only `Authorization`. */
export type TokenWay = {
  headers(token: string | null): Record<string, string>
  /**
   * Learns from an answer what the server takes. Returns true when the call arrived without the token
   * that it had, because something in between drops the header; the next goes the other way.
   */
  note(answer: { status: number; headers: Headers }, sent: Record<string, string>): boolean
  /** Whether the next token goes in the header of its own. */
  isOwn(): boolean
  /**
   * Whether a proxy wants a password where these headers have the token. The browser would ask the user
   * for it, with each call that may carry one.
   */
  isContested(sent: Record<string, string>): boolean
}

/** `isOwn` is what another client learned of the same server. */
export function tokenWay(isOwn = false): TokenWay {
  let isTaken = isOwn
  let isDropped = false
  let isContested = false
  return {
    headers(token) {
      if (!token) return {}
      return isTaken && !isDropped ? { [ownHeader]: token } : { Authorization: `Bearer ${token}` }
    },
    note({ status, headers }, sent) {
      if ('Authorization' in sent) isContested = status === 401 && wantsPassword(headers)
      const said = headers.get(ownHeader)
      // What stands in front answers without either header.
      if (said !== null || headers.has('Grpc-Metadata-Immudb-Uuid')) isTaken = said !== null
      const isLost = said === 'known' && ownHeader in sent
      isDropped ||= isLost
      return isLost
    },
    isOwn: () => isTaken && !isDropped,
    isContested: (sent) => isContested && 'Authorization' in sent,
  }
}

/** Whether an answer asks for a password in `Authorization`, as a browser would ask the user. */
export function wantsPassword(headers: Headers): boolean {
  return /^(basic|digest|ntlm|negotiate)\b/i.test(headers.get('WWW-Authenticate') ?? '')
}
