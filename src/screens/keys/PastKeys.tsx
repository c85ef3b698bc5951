import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { pastKeysExport } from '~/atoms/keys/key-export'
import { type PastKey, pastListsAtom } from '~/atoms/keys/past-list'
import { useAct } from '~/core/act'
import { useExport } from '~/core/files/use-export'
import { sentence } from '~/core/session/failure-words'
import { counted, formatCount, formatTx } from '~/lib/text'
import { EmptyState } from '~/ui/EmptyState'
import { ExportBar, lineFormats } from '~/ui/ExportBar'
import { KeyIcon } from '~/ui/Icon'
import { PickList } from '~/ui/PickList'
import { IncompleteList } from '../moments/IncompleteList'
import { useKeysAddress } from './address'
import { KeyName } from './KeyName'
import { LastWrite, txsAround, useLastWrites } from './LastWrite'

/**
 * The keys as of the moment that is looked at. Until they are read it shows the children, which are
 * those of now, and says so.
 */
export function PastKeys({ tx, children }: { tx: string; children: ReactNode }) {
  const { database } = useKeysAddress()
  const past = useAtomValue(pastListsAtom)(database, tx)
  const list = useAtomValue(past.listAtom)
  const read = useAct(past.read)
  const cancel = useAct(past.cancel)
  if (list?.kind === 'done') return <Listed keys={list.keys} tx={tx} unlisted={list.unlisted} />
  return (
    <>
      <IncompleteList
        action={`Read the list of tx ${formatTx(tx)}`}
        failure={list?.kind === 'stopped' && list.error !== null ? sentence(list.error) : null}
        onCancel={cancel}
        onRead={() => void read()}
        progress={list?.kind === 'reading' ? list : null}
      />
      {children}
    </>
  )
}

type ListedProps = { keys: readonly PastKey[]; tx: string; unlisted: number }

function Listed({ keys, tx, unlisted }: ListedProps) {
  const { database, prefix, key, go } = useKeysAddress()
  const begin = atob(prefix)
  const items = begin === '' ? keys : keys.filter((one) => atob(one.key).startsWith(begin))
  const then = `tx ${formatTx(tx)}`
  const file = useExport(pastKeysExport({ database, prefix, tx, keys: items, unlisted }))
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
      <div className="@container min-h-0 grow">
        <PickList
          count={items.length}
          key={`${then} ${prefix}`}
          label="Keys"
          onPick={(index) => go({ key: items[index]?.key ?? null, revision: '' })}
          picked={items.findIndex((one) => one.key === key)}
          render={(index) => {
            const item = items[index]
            return item && <Line item={item} txs={txsAround(items, index)} />
          }}
        />
      </div>
      <footer className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-3 border-line border-t px-3 py-1 text-muted text-sm">
        <span role="status">
          {counted(items.length, 'key')} as of {then}
        </span>
        {unlisted > 0 && (
          <span className="text-warning">
            {counted(unlisted, 'transaction')} could not be listed, so keys may be missing or wrong.
          </span>
        )}
        <span className="ms-auto flex flex-wrap items-center gap-2">
          <ExportBar
            {...file}
            formats={lineFormats}
            title="Every key of this list with the value that it had then, as NDJSON"
          />
        </span>
      </footer>
    </>
  )
}

function Line({ item, txs }: { item: PastKey; txs: readonly string[] }) {
  const { key, revision, expires } = item
  const { database } = useKeysAddress()
  const hasWrite = useLastWrites()
  return (
    <>
      <span className="min-w-0 flex-1 truncate font-mono">
        <KeyName of={key} />
      </span>
      <span className="flex shrink-0 gap-2 text-muted text-xs">
        {expires && <span>expires</span>}
        {hasWrite ? (
          <LastWrite database={database} of={item} txs={txs} />
        ) : (
          revision !== '1' && <span>rev {formatCount(BigInt(revision))}</span>
        )}
      </span>
    </>
  )
}
