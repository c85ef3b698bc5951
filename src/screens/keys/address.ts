import { useAtomValue } from 'jotai'
import { databaseAtom } from '~/core/session/session'
import { keyFromAddress, keyToAddress } from '~/immudb/key-address'
import { pathTo } from '~/lib/paths'
import { useNavigate, useSearchParam } from '~/ui/location'

/** What the screen shows, as its address says it; keys and prefixes are standard base64. */
type Place = {
  prefix: string
  key: string | null
  /** Empty for the newest one. */
  revision: string
  /** The key is the name of a sorted set; null until one is named. */
  isSet: boolean
}

/**
 * The place in the address, the addresses of other places, and how to go there. Opening an address
 * only ever reads. `isBroken`: the key or prefix in the address is not valid.
 */
export function useKeysAddress() {
  const navigate = useNavigate()
  const database = useAtomValue(databaseAtom)
  const [addressedDatabase] = useSearchParam('db')
  const [prefixText = ''] = useSearchParam('prefix')
  const [keyText = ''] = useSearchParam('key')
  const [revisionText = ''] = useSearchParam('rev')
  const [kind] = useSearchParam('kind')
  const prefix = keyFromAddress(prefixText)
  const key = keyFromAddress(keyText)
  const place: Place = {
    prefix: prefix ?? '',
    key: key || null,
    revision: /^[1-9]\d{0,17}$/.test(revisionText) ? revisionText : '',
    isSet: kind === 'set',
  }
  const pathOf = (change: Partial<Place>) => {
    // A key that is opened is one unless it is said to name a set.
    const isSet = change.isSet ?? (place.isSet && !('key' in change))
    const next = { ...place, ...change, isSet }
    const db = addressedDatabase ?? database
    return pathTo('keys', {
      ...(db ? { db } : {}),
      ...(next.prefix ? { prefix: keyToAddress(next.prefix) } : {}),
      ...(next.isSet ? { kind: 'set' } : {}),
      ...(next.key ? { key: keyToAddress(next.key) } : {}),
      ...(next.key && next.revision ? { rev: next.revision } : {}),
    })
  }
  return {
    ...place,
    database: database ?? '',
    isBroken: prefix === null || key === null,
    pathOf,
    go: (change: Partial<Place>, options?: { replace?: boolean }) =>
      navigate(pathOf(change), options),
  }
}
