import { atom } from 'jotai'
import { bytesToBase64, hexToBytes } from '~/lib/bytes'
import type { GetFacts } from '~/proof/kernel/proven-facts'
import { provenFactsAtom } from '~/trust/proven-content'
import type { PastKeyState } from './key-state'

/**
 * A key as it is proven, where a proof of what is shown was made; else as the server said. Nothing
 * that is asked for again afterwards takes the place of what is proven.
 */
export const provenKeyStateAtom = atom((get) => {
  const factsOf = get(provenFactsAtom)
  return (database: string, key: string, state: PastKeyState): PastKeyState => {
    if (state.kind !== 'live') return state
    const { entry } = state
    const at = (of: string, atTx: string) =>
      factsOf(database, 'get', { keyRequest: { key: of, atTx } })
    const own = at(key, entry.tx)
    if (own?.kind === 'value') {
      const entryThen = { ...entry, ...valueIn(own), target: null }
      return { ...state, entry: entryThen }
    }
    if (own?.kind !== 'reference' || !entry.target) return state
    const behind = at(entry.target.key, entry.target.tx)
    const target = { ...entry.target, key: base64(own.referencedKey) }
    const read = behind?.kind === 'value' ? valueIn(behind) : {}
    return { ...state, entry: { ...entry, ...read, target } }
  }
})

const base64 = (hex: string) => bytesToBase64(hexToBytes(hex) ?? new Uint8Array())

const valueIn = ({ value, meta }: Extract<GetFacts, { kind: 'value' }>) => ({
  value: base64(value),
  expiresAt: meta.expiresAt,
})
