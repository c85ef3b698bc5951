import { useAtomValue } from 'jotai'
import { keyLists } from '~/atoms/keys/key-list'
import type { KeyItem, KeyPage } from '~/atoms/keys/key-pages'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import { useAct } from '~/core/act'
import { asOfAtom, asOfTxAtom } from '~/core/history/as-of'
import type { List } from '~/core/pages'
import { failureWords, sentence } from '~/core/session/failure-words'
import { exactSize, formatSize } from '~/lib/size'
import { counted, formatCount } from '~/lib/text'
import { Button } from '~/ui/Button'
import { EmptyState } from '~/ui/EmptyState'
import { KeyIcon } from '~/ui/Icon'
import { PickList } from '~/ui/PickList'
import { Sentence } from '~/ui/Sentence'
import { Unanswered } from '~/ui/Unanswered'
import { useKeysAddress } from './address'
import { KeyName } from './KeyName'
import { KeysFoot } from './KeysFoot'
import { LastWrite, txsAround, useLastWrites } from './LastWrite'
import { PastKeys } from './PastKeys'
import { useDrafts } from './use-drafts'

/** The keys that begin with the prefix in the address, as of the moment that is looked at. */
export function KeyList() {
  const tx = useAtomValue(asOfTxAtom)
  const { kind } = useAtomValue(asOfAtom)
  if (tx !== null) {
    return (
      <PastKeys tx={tx}>
        <PresentKeys />
      </PastKeys>
    )
  }
  if (kind === 'now' || kind === 'period') return <PresentKeys />
  return (
    <p className="p-3 text-sm">
      {kind === 'finding'
        ? 'Waiting for the moment…'
        : 'This moment cannot be shown. The line at the top says why.'}
    </p>
  )
}

/** The keys of now, in the order of their bytes. */
function PresentKeys() {
  const { database, prefix, isBroken } = useKeysAddress()
  const asked = useAtomValue(useAtomValue(keyLists.listsAtom)(database, prefix))
  const { data, error } = asked
  if (!data) {
    return (
      <div className="p-3">
        <Unanswered asked={asked} lines={6} words={failureWords} />
      </div>
    )
  }
  return (
    <>
      {isBroken && (
        <p className="px-3 py-2 text-warning text-sm">
          The address names a key or a beginning that is not complete base64.
        </p>
      )}
      {error && (
        <p className="px-3 py-2 text-sm text-warning" role="status">
          These are the keys as last read. <Sentence text={sentence(error)} />
        </p>
      )}
      {data.items.length === 0 && data.next === null ? (
        <NoKeys />
      ) : (
        <>
          <div className="@container min-h-72 grow xs:min-h-28">
            <Lines items={data.items} key={`${database} ${prefix}`} />
          </div>
          <More of={asked} page={data} />
        </>
      )}
    </>
  )
}

function Lines({ items }: { items: readonly KeyItem[] }) {
  const { key, go } = useKeysAddress()
  const lines = items.map((item) => (item.kind === 'key' ? item : null))
  const pick = (index: number) => {
    const item = items[index]
    if (item?.kind === 'key') go({ key: item.key, revision: '' })
  }
  return (
    <PickList
      count={items.length}
      label="Keys"
      onPick={pick}
      picked={items.findIndex((item) => item.kind === 'key' && item.key === key)}
      render={(index) => {
        const item = items[index]
        return item && <Line item={item} txs={txsAround(lines, index)} />
      }}
    />
  )
}

function Line({ item, txs }: { item: KeyItem; txs: readonly string[] }) {
  const { database } = useKeysAddress()
  const hasWrite = useLastWrites()
  if (item.kind === 'unreadable') {
    return (
      <span className="truncate text-muted">
        A key whose value {item.why === 'gone' ? 'is gone' : 'is larger than 4 MiB'}: open it by its
        name
      </span>
    )
  }
  const { key, target, expiresAt, size, revision } = item
  return (
    <>
      <span className="min-w-0 flex-1 truncate font-mono">
        <KeyName of={key} />
      </span>
      <span className="flex shrink-0 gap-2 text-muted text-xs">
        {target !== null && <span>reference</span>}
        {expiresAt !== null && <span>expires</span>}
        {hasWrite ? (
          <LastWrite database={database} of={item} txs={txs} />
        ) : (
          revision !== null && revision !== '1' && <span>rev {formatCount(BigInt(revision))}</span>
        )}
        <span className="min-w-14 text-end tabular-nums" title={exactSize(size)}>
          {formatSize(size)}
        </span>
      </span>
    </>
  )
}

type MoreProps = { of: Pick<List<KeyPage>, 'isAdding' | 'problem'>; page: KeyPage }

function More({ of: { isAdding, problem }, page: { items, next } }: MoreProps) {
  const { database, prefix } = useKeysAddress()
  const more = useAct(keyLists.more)
  return (
    <KeysFoot
      more={
        next === null
          ? null
          : {
              label: 'Read more keys',
              isBusy: isAdding,
              onClick: () => void more(database, prefix),
            }
      }
      problem={problem}
    >
      <span role="status">
        {counted(items.length, 'key')}
        {next !== null && ', more exist'}
      </span>
    </KeysFoot>
  )
}

/** Says that there are none, and offers the first one or all. */
export function NoKeys() {
  const { prefix, go } = useKeysAddress()
  const { startNew, reasonAgainst } = useDrafts()
  const refusal = useAtomValue(writeRefusalAtom)
  if (prefix === '') {
    const reason = refusal ?? reasonAgainst(null)
    return (
      <EmptyState
        action={
          <Button disabledReason={reason} onClick={startNew} variant="primary">
            Set the first key
          </Button>
        }
        icon={<KeyIcon />}
        refusal={reason}
        text="No key has been set in this database yet, or all were deleted. Tables and documents do not show here."
        title="No keys"
      />
    )
  }
  return (
    <EmptyState
      action={<Button onClick={() => go({ prefix: '' }, { replace: true })}>Show all keys</Button>}
      icon={<KeyIcon />}
      text={
        <>
          No live key begins with <KeyName of={prefix} />. “Get” also finds deleted and expired ones
          by their whole name.
        </>
      }
      title="No such keys"
    />
  )
}
