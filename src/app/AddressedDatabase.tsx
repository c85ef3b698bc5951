import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useRef } from 'react'
import { openDatabaseAtom } from '~/atoms/databases'
import { sentence } from '~/atoms/failure'
import { databaseAtom } from '~/atoms/session'
import { useSearchParam } from '~/ui/location'
import { showToast } from '~/ui/toast'

/**
 * Keeps the address and this tab's database the same: a database chosen here is written into the
 * address, and an address that names another one, after “back” for instance, opens that one.
 */
export function AddressedDatabase() {
  const open = useSetAtom(openDatabaseAtom)
  const database = useAtomValue(databaseAtom)
  const [addressed, setAddressed] = useSearchParam('db')
  const written = useRef(database)
  const asked = useRef<string | null>(null)
  useEffect(() => {
    const isChosenHere = database !== written.current || addressed === undefined
    written.current = database
    if (database === null || addressed === database) return
    if (isChosenHere) return setAddressed(database, { replace: true })
    if (asked.current === addressed) return
    asked.current = addressed
    open(addressed)
      .catch((error: unknown) => {
        showToast({ kind: 'error', text: `${addressed} was not opened. ${sentence(error)}` })
        setAddressed(database, { replace: true })
      })
      .finally(() => {
        asked.current = null
      })
  }, [database, addressed, open, setAddressed])
  return null
}
