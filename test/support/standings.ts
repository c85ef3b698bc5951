import type { Holding } from '~/api/server-databases'
import type { Standing } from '~/atoms/servers/standing'

/** A database that a server has listed. */
export function holdingOf(name: string, more: Partial<Holding> = {}): Holding {
  const plain = { loaded: true, txId: '10', primary: null, isSync: false, acks: 0 }
  return { name, ...plain, allowsDiscarding: false, skipsCheck: false, ...more }
}

/** A server that answers. */
export function standingOf(
  name: string,
  holdings: readonly Holding[],
  address = `https://${name}:8080`,
): Standing {
  return {
    server: { name, id: `id-${name}`, address },
    kind: 'answers',
    since: 0,
    answeredAt: 1,
    reason: '',
    version: '1.11.1',
    startedAt: 0,
    uuid: name,
    holdings,
  }
}
