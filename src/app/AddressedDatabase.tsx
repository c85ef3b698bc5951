import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
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
  const [refused, setRefused] = useState<string | null>(null)
  const written = useRef(database)
  const asked = useRef<string | null>(null)
  const isChosenHere =
    database !== written.current || addressed === undefined || addressed === refused
  const isApart = database !== null && addressed !== database
  useLayoutEffect(() => {
    // At once: by the time of an effect the operator may have gone to another page, and writing
    // the address of this one would bring it back.
    written.current = database
    if (!isApart || !isChosenHere) return
    setAddressed(database, { replace: true })
    setRefused(null)
  })
  useEffect(() => {
    if (!isApart || isChosenHere || addressed === undefined || asked.current === addressed) return
    asked.current = addressed
    setRefused(null)
    open(addressed)
      .catch((error: unknown) => {
        showToast({ kind: 'error', text: `${addressed} was not opened. ${sentence(error)}` })
        setRefused(addressed)
      })
      .finally(() => {
        asked.current = null
      })
  }, [isApart, isChosenHere, addressed, open])
  return null
}
