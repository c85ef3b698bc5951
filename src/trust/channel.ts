import { joinChannel } from '~/lib/tab-channel'

const name = 'webconsole-trust'

/** Changes of an audit only, which come every few seconds and which no list shows. */
const ofAudit = 'audit'

/** The channel on which tabs announce changes of trusted states. */
export class TrustChannel {
  readonly #watchers = new Set<() => void>()
  readonly #channel = joinChannel(name, (heard) => {
    this.#auditChanges += 1
    if (heard !== ofAudit) this.#tell()
  })
  #auditChanges = 0

  /** A number that differs after each change of an audit, in any tab. */
  get auditChanges(): number {
    return this.#auditChanges
  }

  /** Calls back when another tab or a late storage changed something; returns what stops it. */
  onChange(changed: () => void): () => void {
    this.#watchers.add(changed)
    return () => this.#watchers.delete(changed)
  }

  /** Tells other tabs. */
  announce(): void {
    this.#channel.tell('changed')
  }

  /** Tells other tabs, and readers of audits in this one. */
  announceAudit(): void {
    this.#auditChanges += 1
    this.#channel.tell(ofAudit)
  }

  /** Tells other tabs, and this one. */
  announceAll(): void {
    this.#auditChanges += 1
    this.announce()
    this.#tell()
  }

  #tell(): void {
    for (const changed of this.#watchers) changed()
  }
}
