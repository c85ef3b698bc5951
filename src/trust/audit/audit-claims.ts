import { joinChannel } from '~/lib/tab-channel'

/** An audit that a tab runs. Of two audits of one database, the earlier one continues. */
export type Claim = { key: string; since: number; tab: number }

type Message = { kind: 'ask'; key: string } | ({ kind: 'running' } & Claim) | Ended
type Ended = { kind: 'ended'; key: string }

const name = 'webconsole-audit'

/** A tab's replies about audits, by database key. */
export type TabsListener = {
  /** The audit that this tab runs. */
  own: (key: string) => Claim | null
  /** Another tab runs it and began first. */
  taken: (key: string) => void
  /** Another tab no longer runs it. */
  freed: (key: string) => void
}

/** The channel on which tabs announce their audits. */
export type Tabs = {
  /** Asks which tab runs it; that tab answers. */
  ask: (key: string) => void
  claim: (claim: Claim) => void
  free: (key: string) => void
}

export function openTabs({ own, taken, freed }: TabsListener): Tabs {
  const channel = joinChannel(name, (heard) => {
    const message = messageOf(heard)
    if (!message) return
    const ours = own(message.key)
    if (message.kind === 'ended') freed(message.key)
    else if (ours && (message.kind === 'ask' || isBefore(ours, message))) {
      say({ kind: 'running', ...ours })
    } else if (message.kind === 'running') taken(message.key)
  })
  const say = (message: Message) => channel.tell(message)
  return {
    ask: (key) => say({ kind: 'ask', key }),
    claim: (claim) => say({ kind: 'running', ...claim }),
    free: (key) => say({ kind: 'ended', key }),
  }
}

function isBefore(one: Claim, other: Claim): boolean {
  return one.since === other.since ? one.tab < other.tab : one.since < other.since
}

/** Null for messages of another console version. */
function messageOf(heard: unknown): Message | null {
  const isOurs =
    typeof heard === 'object' && heard !== null && 'key' in heard && typeof heard.key === 'string'
  return isOurs && 'kind' in heard ? (heard as Message) : null // as `say` sends it
}
