import { useAtom, useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { type PastKey, type PastList, pastListsAtom } from '~/atoms/keys/past-list'
import { sentence } from '~/atoms/storage/failure'
import { counted, formatCount, formatTx } from '~/lib/text'
import { Button } from '~/ui/Button'
import { EmptyState } from '~/ui/EmptyState'
import { KeyIcon } from '~/ui/Icon'
import { PickList } from '~/ui/PickList'
import { useKeysAddress } from './address'
import { KeyName } from './KeyName'

/**
 * The keys as of the moment that is looked at. Until they are read it shows the children, which are
 * those of now, and says so.
 */
export function PastKeys({ tx, children }: { tx: string; children: ReactNode }) {
  const { database } = useKeysAddress()
  const [list, write] = useAtom(useAtomValue(pastListsAtom)(database, tx))
  if (list?.kind === 'done') return <Listed keys={list.keys} tx={tx} unlisted={list.unlisted} />
  return (
    <>
      <Lack list={list} tx={tx} write={write} />
      {children}
    </>
  )
}

type LackProps = {
  list: Exclude<PastList, { kind: 'done' }> | null
  tx: string
  write: (what: 'read' | 'cancel') => unknown
}

/** What is missing from the list of now, and how to get the other. */
function Lack({ list, tx, write }: LackProps) {
  const isReading = list?.kind === 'reading'
  return (
    <div className="grid shrink-0 gap-1 border-line border-b px-3 py-2 text-sm">
      <p role="status">Today’s list; what was deleted since is missing.</p>
      {list?.kind === 'stopped' && list.error !== null && (
        <p className="text-warning">{sentence(list.error)}</p>
      )}
      <p className="flex flex-wrap items-center gap-2 text-muted">
        {isReading && (
          <>
            <progress
              aria-label="Transactions read"
              className="h-1.5 w-24"
              max={list.of}
              value={list.read}
            />
            <span className="tabular-nums">
              {formatCount(list.read)} of {counted(list.of, 'transaction')}
            </span>
          </>
        )}
        {isReading ? (
          <Button onClick={() => write('cancel')} size="small">
            Cancel
          </Button>
        ) : (
          <Button onClick={() => write('read')} size="small">
            Read the list of tx {formatTx(tx)}
          </Button>
        )}
      </p>
    </div>
  )
}

type ListedProps = { keys: readonly PastKey[]; tx: string; unlisted: number }

function Listed({ keys, tx, unlisted }: ListedProps) {
  const { prefix, key, go } = useKeysAddress()
  const begin = atob(prefix)
  const items = begin === '' ? keys : keys.filter((one) => atob(one.key).startsWith(begin))
  const then = `tx ${formatTx(tx)}`
  if (items.length === 0) {
    return (
      <EmptyState
        icon={<KeyIcon />}
        text={`No key ${prefix === '' ? '' : 'that begins so '}was live at ${then}.`}
        title="No keys"
      />
    )
  }
  return (
    <>
      <div className="min-h-0 grow">
        <PickList
          count={items.length}
          key={`${then} ${prefix}`}
          label="Keys"
          onPick={(index) => go({ key: items[index]?.key ?? null, revision: '' })}
          picked={items.findIndex((one) => one.key === key)}
          render={(index) => {
            const item = items[index]
            return item && <Line item={item} />
          }}
        />
      </div>
      <footer className="grid min-h-10 shrink-0 content-center border-line border-t px-3 py-1 text-muted text-sm">
        <span role="status">
          {counted(items.length, 'key')} as of {then}
        </span>
        {unlisted > 0 && (
          <span className="text-warning">
            {counted(unlisted, 'transaction')} could not be listed, so keys may be missing or wrong.
          </span>
        )}
      </footer>
    </>
  )
}

function Line({ item: { key, revision, expires } }: { item: PastKey }) {
  return (
    <>
      <span className="min-w-0 flex-1 truncate font-mono">
        <KeyName of={key} />
      </span>
      <span className="flex shrink-0 gap-2 text-muted text-xs">
        {expires && <span>expires</span>}
        {revision !== '1' && <span>rev {formatCount(BigInt(revision))}</span>}
      </span>
    </>
  )
}
