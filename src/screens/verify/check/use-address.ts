import { useAtomValue } from 'jotai'
import { databaseAtom } from '~/atoms/session/session'
import { pathTo } from '~/lib/paths'
import { useNavigate } from '~/ui/location'

/** What is to be checked, as an address names it. */
type Named = { tx?: string; collection?: string; doc?: string }

/** Puts what is checked into the address, which then can be passed on, and nothing else. */
export function useAddress(): (named: Named) => void {
  const database = useAtomValue(databaseAtom)
  const navigate = useNavigate()
  return (named) =>
    navigate(pathTo('verify', { ...(database && { db: database }), tab: 'check', ...named }), {
      replace: true,
    })
}
