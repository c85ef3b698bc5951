import { useAtomValue, useSetAtom } from 'jotai'
import { Suspense, useState } from 'react'
import type { Entry } from '~/api/entries'
import type { KeyState } from '~/atoms/key-state'
import { resetDeletionAtom } from '~/atoms/key-write'
import { openKeyProofAtom } from '~/atoms/trust/open-proof'
import { writeRefusalAtom } from '~/atoms/write-refusal'
import { Button } from '~/ui/Button'
import { fetchedLater } from '~/ui/fetched-later'
import { ShieldIcon } from '~/ui/Icon'
import { useKeysAddress } from './address'
import { keyLabel } from './KeyName'
import { useDrafts } from './use-drafts'

const DeleteKey = fetchedLater(() => import('./DeleteKey').then((module) => module.DeleteKey))

/** What can be done with the open key. */
export function KeyActions({ of, state }: { of: string; state: KeyState }) {
  const { database, revision } = useKeysAddress()
  const [isDeleting, setDeleting] = useState(false)
  const reset = useSetAtom(resetDeletionAtom)
  const openProof = useSetAtom(openKeyProofAtom)
  const { startValue, reasonAgainst } = useDrafts()
  const isOld =
    revision !== '' ? 'An older revision cannot be changed: show the newest.' : undefined
  const refusal = useAtomValue(writeRefusalAtom) ?? isOld
  const isThere = state.kind === 'live' || state.kind === 'too-large' || state.kind === 'dangling'
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        disabledReason={refusal ?? reasonAgainst(of)}
        onClick={() => startValue(of, state)}
        size="small"
      >
        {state.kind === 'live' ? 'Change the value' : 'Set a value'}
      </Button>
      <Button
        disabledReason={'entry' in state ? undefined : unprovable[state.kind]}
        icon={<ShieldIcon />}
        onClick={() => {
          if ('entry' in state) void openProof(shownKey(database, of, state))
        }}
        size="small"
      >
        Verify
      </Button>
      <Button
        disabledReason={refusal ?? (isThere ? undefined : 'There is nothing to delete.')}
        onClick={() => {
          reset()
          setDeleting(true)
        }}
        size="small"
      >
        Delete…
      </Button>
      {isDeleting && (
        <Suspense fallback={null}>
          <DeleteKey of={of} onClose={() => setDeleting(false)} />
        </Suspense>
      )}
    </div>
  )
}

const unprovable = {
  absent: 'There is nothing to verify: that something is missing cannot be proven.',
  'too-large':
    'Its proof does not fit into the 4 MiB of an answer. Its transaction proves its hash.',
}

/** Longest name of a key in a title. */
const titleLength = 60

/** The key as it is shown here, for its proof. */
function shownKey(database: string, key: string, { kind, entry }: KeyState & { entry: Entry }) {
  const label = keyLabel(key)
  const name = label.length > titleLength ? `${label.slice(0, titleLength)}…` : label
  return {
    database,
    key,
    what: `key ${name}`,
    tx: entry.tx,
    value: kind === 'live' ? entry.value : null,
    targetTx: entry.target?.tx ?? null,
    isDeleted: entry.isDeleted,
    isDangling: kind === 'dangling',
  }
}
