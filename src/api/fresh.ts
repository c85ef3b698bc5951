import { bytesToHex } from '~/lib/bytes'

/**
 * Marks a write that may run only as the first request of its connection (`embed/fresh.go`).
 * Browsers repeat a POST by themselves when a connection that was in use breaks before an answer
 * came; on a new one they do not. immudb itself ignores the mark.
 */
export const freshHeader = 'Webconsole-Fresh'

/**
 * Names a write. What a browser repeats has the same name, and the server does not run it again:
 * Chromium also takes a connection for used that it opened ahead and never used.
 */
export const writeHeader = 'Webconsole-Write'

/** A name that no other write has, of 32 hex digits. */
export function newWriteId(): string {
  return bytesToHex(crypto.getRandomValues(new Uint8Array(16)))
}

/** How often a write that was refused for its connection is sent again with the mark. */
const triesAgain = 8

type Answered = { status: number; headers: Headers }

/** How a request is sent: as a read is, or with the mark, and without cookies. */
export type Manner = { isMarked?: boolean; isApart?: boolean }

/** Sends writes so that what a browser repeats is not run, and knows whether the server sees to it. */
export type FreshWrites = {
  /**
   * Sends a write with the mark until it runs, at last once without. A refusal comes before
   * anything was done, so this repeats nothing; it closes a connection, and a browser has six.
   */
  send<A extends Answered>(send: (manner: Manner) => Promise<A>): Promise<A>
  /** What an answer, or none, shows of the server. */
  note(answer: Answered | null): void
  /** Whether the server that answered last runs a write once at most. */
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
      // Whoever answers after a failure may be another server.
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
 * `Connection`: what stands in front with connections of its own does not pass that on.
 */
function claimIn({ headers }: Answered): string | null {
  const said = headers.get(freshHeader)
  if (said === 'repeated') return said
  const isKept = said === 'kept' || said === 'apart'
  return isKept && ownConnection.test(headers.get('Connection') ?? '') ? said : null
}
