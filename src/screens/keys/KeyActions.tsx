import { useAtomValue, useSetAtom } from 'jotai'
import { Suspense, useState } from 'react'
import type { KeyState } from '~/atoms/key-state'
import { resetDeletionAtom } from '~/atoms/key-write'
import { askForProofAtom, proofAtom } from '~/atoms/proof-material'
import { writeRefusalAtom } from '~/atoms/write-refusal'
import { Button } from '~/ui/Button'
import { fetchedLater } from '~/ui/fetched-later'
import { useKeysAddress } from './address'
import { useDrafts } from './use-drafts'

const DeleteKey = fetchedLater(() => import('./DeleteKey').then((module) => module.DeleteKey))

/** What can be done with the open key. */
export function KeyActions({ of, state }: { of: string; state: KeyState }) {
  const { revision } = useKeysAddress()
  const [isDeleting, setDeleting] = useState(false)
  const reset = useSetAtom(resetDeletionAtom)
  const ask = useSetAtom(askForProofAtom)
  const isAsked = useAtomValue(proofAtom)(of, revision).kind === 'asked'
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
        busy={isAsked}
        disabledReason={state.kind === 'live' ? undefined : 'There is no value to prove here.'}
        onClick={() => void ask(of, revision)}
        size="small"
      >
        Get with proof
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
