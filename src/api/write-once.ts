import { bytesToHex } from '~/lib/bytes'

/**
 * Marks a write that may run only as the first request of its connection (`embed/fresh.go`).
 * Browsers repeat a POST silently when a reused connection breaks before an answer; on a new
 * connection they do not. immudb itself ignores the mark.
 */
const freshHeader = 'Webconsole-Fresh'

/**
 * Names a write. A repeat by the browser has the same name, so the server does not run it again.
 * The mark alone is not enough: Chromium treats a connection that it opened in advance as used.
 */
const writeHeader = 'Webconsole-Write'

/** A name that no other write has, of 32 hex digits. */
export function newWriteId(): string {
  return bytesToHex(crypto.getRandomValues(new Uint8Array(16)))
}

/** How often a write that was refused for its connection is sent again with the mark. */
const triesAgain = 8

type Answered = { status: number; headers: Headers }

/** How a request is sent: as a read is, or with the mark, and without cookies. */
export type Manner = { isMarked?: boolean; isApart?: boolean }

/**
 * Sends writes so that a repeat by the browser has no effect, and knows whether the server ensures
 * that.
 */
export type FreshWrites = {
  /**
   * Sends a write with the mark until it runs, and at the end once without. A refusal comes before
   * the write runs, so nothing runs twice. Each refusal closes a connection, and a browser has six.
   */
  send<A extends Answered>(send: (manner: Manner) => Promise<A>): Promise<A>
  /** Learns from an answer, or from its absence, what the server does. */
  note(answer: Answered | null): void
  /** Whether the server that answered last runs a write at most once. */
  isKept(): boolean
}

export function freshWrites(): FreshWrites {
  let claim: string | null = null
  let mayBeApart = isPlain()
  return {
    async send(send) {
      for (let tries = 0; tries <= triesAgain; tries += 1) {
        // Browsers keep connections of their own for what goes without cookies. The server closes
        // them after each write, so a new one is opened at once and nothing is refused.
        const isApart = mayBeApart && claim === 'apart'
        const answer = await send({ isMarked: true, isApart }).catch((error: unknown) => {
          // A redirect to a form for cookies looks like no network.
          if (Object(error).cause instanceof TypeError) mayBeApart = false
          throw error
        })
        const said = answer.headers.get(freshHeader)
        // Something in front answered, which may want cookies.
        if (isApart && said === null) mayBeApart = false
        if (answer.status !== 409 || said !== 'required') return answer
      }
      return send({})
    },
    note: (answer) => {
      // After a failure, another server may answer.
      claim = answer && claimIn(answer)
    },
    isKept: () => claim !== null,
  }
}

/** Over TLS a front may want a certificate, which goes only where cookies go. */
function isPlain(): boolean {
  return globalThis.location?.protocol === 'http:'
}

const ownConnection = /(^|[\s,])webconsole-fresh([\s,]|$)/i

/**
 * What the server claims, or null. The claim is made for the connection alone, by its name in
 * `Connection`: what stands in front connections does not pass it on.
 */
function claimIn({ headers }: Answered): string | null {
  const said = headers.get(freshHeader)
  if (said === 'repeated') return said
  const isKept = said === 'kept' || said === 'apart'
  return isKept && ownConnection.test(headers.get('Connection') ?? '') ? said : null
}

/** The headers that keep the server from running a write twice. */
export function markOf(id: string | null, isMarked = false): Record<string, string> {
  if (id === null) return {}
  return { [writeHeader]: id, ...(isMarked ? { [freshHeader]: '1' } : {}) }
}
