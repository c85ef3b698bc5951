import { useAtomValue } from 'jotai'
import { Suspense } from 'react'
import { writtenAtom } from '~/atoms/key-write'
import { formatTx } from '~/lib/text'
import { Boundary } from '~/ui/Boundary'
import { fetchedLater } from '~/ui/fetched-later'
import { CheckIcon } from '~/ui/Icon'
import { join } from '~/ui/join'
import { useKeysAddress } from './address'

const Receipt = fetchedLater(() => import('../proof/Receipt').then((module) => module.Receipt))

/** What the last write did, as long as its key is open, whether it can be read and shown or not. */
export function Written({ of }: { of: string }) {
  const { database } = useKeysAddress()
  const written = useAtomValue(writtenAtom)
  const isIts = written?.key === of && written.database === database
  return (
    <div
      className={join(
        'mx-auto flex max-w-[1000px] flex-wrap items-center gap-x-4 gap-y-1 px-4',
        isIts && 'pt-4',
      )}
    >
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
      {isIts && written.tx !== null && (
        <Boundary fallback={() => null}>
          <Suspense fallback={null}>
            {written.isReference ? (
              <Receipt
                database={database}
                says={`Transaction ${formatTx(written.tx)} is in the history`}
                tx={written.tx}
              />
            ) : (
              <Receipt database={database} storedKey={written.key} tx={written.tx} />
            )}
          </Suspense>
        </Boundary>
      )}
    </div>
  )
}
