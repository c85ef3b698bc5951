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

/** Sends writes so that what a browser repeats is not run, and knows whether the server sees to it. */
export type FreshWrites = {
  /**
   * Sends a write with the mark until it runs, at last once without. A refusal comes before
   * anything was done, so this repeats nothing; it closes a connection, and a browser has six.
   */
  send<A extends Answered>(send: (isMarked: boolean) => Promise<A>): Promise<A>
  /** What an answer, or none, shows of the server. */
  note(answer: Answered | null): void
  /** Whether the server that answered last runs a write once at most. */
  isKept(): boolean
}

export function freshWrites(): FreshWrites {
  let isClaimed = false
  return {
    async send(send) {
      for (let tries = 0; tries <= triesAgain; tries += 1) {
        const answer = await send(true)
        const isRefused = answer.status === 409 && answer.headers.get(freshHeader) === 'required'
        if (!isRefused) return answer
      }
      return send(false)
    },
    note: (answer) => {
      // Whoever answers after a failure may be another server.
      isClaimed = answer !== null && claimsFresh(answer)
    },
    isKept: () => isClaimed,
  }
}

/**
 * The claim is made for the connection alone, by its name in `Connection`: what stands in front
 * with connections of its own does not pass that on.
 */
function claimsFresh({ headers }: Answered): boolean {
  const names =
    headers
      .get('Connection')
      ?.toLowerCase()
      .split(/\s*,\s*/) ?? []
  const said = headers.get(freshHeader)
  if (said === 'repeated') return true
  return said === 'kept' && names.includes(freshHeader.toLowerCase())
}
