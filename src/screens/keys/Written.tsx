import { useAtomValue } from 'jotai'
import { writtenAtom } from '~/atoms/key-write'
import { CheckIcon } from '~/ui/Icon'
import { useKeysAddress } from './address'

/** What the last write did, as long as its key is open, whether it can be read or not. */
export function Written({ of }: { of: string }) {
  const { database } = useKeysAddress()
  const written = useAtomValue(writtenAtom)
  const isIts = written?.key === of && written.database === database
  return (
    <p className="flex items-center gap-2 text-sm empty:hidden" role="status">
      {isIts && (
        <>
          <span className="text-success">
            <CheckIcon />
          </span>
          {written.text}
        </>
      )}
    </p>
  )
}
