import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import type { Database } from '~/api/databases'
import { levelWordsAtom } from '~/atoms/database-levels'
import { timezoneAtom } from '~/atoms/view'
import { exactSize } from '~/lib/size'
import { formatTx } from '~/lib/text'
import { SafeName } from '~/ui/SafeName'
import { formatInstant } from './moments'
import { formatPeriod } from './shown-setting'

const unknown = 'not known'
const whileUnloaded = 'not known while it is unloaded'

/** What is known of a database from the list, so without another call. */
export function DatabaseFacts({ database }: { database: Database }) {
  const { name, loaded, numTransactions, diskSize, createdAt, createdBy, retention } = database
  const level = useAtomValue(levelWordsAtom)(name)
  const zone = useAtomValue(timezoneAtom)
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
      <Fact name="Transactions">
        {loaded ? formatTx(numTransactions) || unknown : whileUnloaded}
      </Fact>
      <Fact name="Size on disk">
        {!loaded ? whileUnloaded : diskSize === '' ? unknown : exactSize(Number(diskSize))}
      </Fact>
      <Fact name="Created">
        {diskSize === '' ? (
          unknown
        ) : createdAt === null ? (
          'with the server'
        ) : (
          <>
            {formatInstant(createdAt, zone)} by <SafeName text={createdBy || 'nobody known'} />
          </>
        )}
      </Fact>
      <Fact name="Values are kept">
        {diskSize === '' ? unknown : retention === '0' ? 'for ever' : formatPeriod(retention)}
      </Fact>
      <Fact name="Your permission">{level}</Fact>
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  )
}
