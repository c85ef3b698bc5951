/** An audit that a tab runs; of two of the same database the one that began first goes on. */
export type Claim = { key: string; since: number; tab: number }

type Message = { kind: 'ask'; key: string } | ({ kind: 'running' } & Claim) | Ended
type Ended = { kind: 'ended'; key: string }

const name = 'webconsole-audit'

/** What a tab has to say about the audits of databases, by their keys. */
export type TabsListener = {
  /** The audit that this tab runs. */
  own: (key: string) => Claim | null
  /** Another tab runs it and began first. */
  taken: (key: string) => void
  /** Another tab runs it no more. */
  freed: (key: string) => void
}

/** How the tabs of a browser tell each other which audits they run. */
export type Tabs = {
  /** Whoever runs it answers. */
  ask: (key: string) => void
  claim: (claim: Claim) => void
  free: (key: string) => void
}

const alone: Tabs = { ask: () => {}, claim: () => {}, free: () => {} }

export function openTabs({ own, taken, freed }: TabsListener): Tabs {
  if (typeof BroadcastChannel === 'undefined') return alone
  const channel = new BroadcastChannel(name)
  const say = (message: Message) => channel.postMessage(message)
  channel.onmessage = ({ data }: MessageEvent<unknown>) => {
    const message = messageOf(data)
    if (!message) return
    const ours = own(message.key)
    if (message.kind === 'ended') freed(message.key)
    else if (ours && (message.kind === 'ask' || isBefore(ours, message))) {
      say({ kind: 'running', ...ours })
    } else if (message.kind === 'running') taken(message.key)
  }
  return {
    ask: (key) => say({ kind: 'ask', key }),
    claim: (claim) => say({ kind: 'running', ...claim }),
    free: (key) => say({ kind: 'ended', key }),
  }
}

function isBefore(one: Claim, other: Claim): boolean {
  return one.since === other.since ? one.tab < other.tab : one.since < other.since
}

/** Null for what another version of the console says. */
function messageOf(data: unknown): Message | null {
  const isOurs =
    typeof data === 'object' && data !== null && 'key' in data && typeof data.key === 'string'
  return isOurs && 'kind' in data ? (data as Message) : null // as `say` sends it
}
