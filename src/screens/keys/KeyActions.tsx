import { useAtomValue } from 'jotai'
import { useState } from 'react'
import type { Entry } from '~/api/keys'
import type { KeyState, PastKeyState } from '~/atoms/keys/key-state'
import { resetDeletion } from '~/atoms/keys/key-write'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import { useAct } from '~/core/act'
import { asOfTxAtom } from '~/core/history/as-of'
import { readServerSeconds } from '~/core/session/server-clock'
import { lackingAtom } from '~/core/session/server-version'
import { cutText } from '~/lib/visible-text'
import type { Leaf } from '~/proof/shown'
import { openProofDrawer } from '~/trust/proof-drawer'
import { keyQuestions, type ShownKey, saidLeaf } from '~/trust/questions'
import { Button } from '~/ui/Button'
import { ShieldIcon } from '~/ui/Icon'
import { useChangeSearch } from '~/ui/location'
import { CodeButton } from '../code/CodeButton'
import { useKeysAddress } from './address'
import { DeleteKey } from './DeleteKey'
import { keyLabel } from './KeyName'
import { useTxSeconds } from './Moment'
import { useDrafts } from './use-drafts'

/** What can be done with the open key. */
export function KeyActions({ of, state }: { of: string; state: PastKeyState }) {
  const { database, revision } = useKeysAddress()
  const [isDeleting, setDeleting] = useState(false)
  const reset = useAct(resetDeletion)
  const openProof = useAct(openProofDrawer)
  const now = useAct(readServerSeconds)
  const tx = 'entry' in state ? state.entry.tx : ''
  const time = useTxSeconds(database, tx === '' ? [] : [tx])(tx)
  const past = useAtomValue(asOfTxAtom)
  const cannotDelete = useAtomValue(lackingAtom)('deletingKeys')
  const change = useChangeSearch()
  const { startValue, reasonAgainst } = useDrafts()
  const isOld =
    revision !== '' ? 'An older revision cannot be changed: show the newest.' : undefined
  const writesOff = useAtomValue(writeRefusalAtom) ?? isOld
  const present = isPresent(state) ? state : null
  const refusal = writesOff ?? (present ? undefined : 'Go back to now to write.')
  const isThere = ['live', 'too-large', 'gone', 'dangling'].includes(state.kind)
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        disabledReason={refusal ?? reasonAgainst(of)}
        onClick={() => present && startValue(of, present)}
        size="small"
      >
        {state.kind === 'live' ? 'Change the value' : 'Set a value'}
      </Button>
      <Button
        disabledReason={present && 'entry' in present ? undefined : unprovable[state.kind]}
        icon={<ShieldIcon />}
        onClick={() => {
          if (!present || !('entry' in present)) return
          const said = [
            ...(revision === '' ? [] : [saidLeaf('the revision number', revision)]),
            ...(past === null
              ? []
              : [saidLeaf('the moment', past, `that it was so at tx ${past}`)]),
          ]
          const drawn = { database, key: of, time, said, now: now() }
          const shown = shownKey(present, drawn)
          void openProof({ what: shown.what, questions: keyQuestions(shown) })
        }}
        size="small"
      >
        Verify
      </Button>
      <Button
        disabledReason={state.kind === 'absent' ? 'There is no revision of it.' : undefined}
        onClick={() => change({ dialog: 'history' })}
        size="small"
      >
        History
      </Button>
      <CodeButton
        call={() => ({
          kind: 'key',
          key: of,
          at: revision !== '' ? { revision } : past !== null && tx !== '' ? { tx } : null,
          isVerified: false,
        })}
        what={`key ${cutText(keyLabel(of), titleLength)}`}
      />
      <Button
        disabledReason={
          cannotDelete ?? refusal ?? (isThere ? undefined : 'There is nothing to delete.')
        }
        onClick={() => {
          reset()
          setDeleting(true)
        }}
        size="small"
      >
        Delete…
      </Button>
      {isDeleting && <DeleteKey of={of} onClose={() => setDeleting(false)} />}
    </div>
  )
}

const unprovable: Readonly<Record<string, string>> = {
  absent: 'Nothing to verify: absence cannot be proven.',
  'not-yet': 'Nothing to verify: absence cannot be proven.',
  'too-large':
    'Its proof does not fit into the 4 MiB of an answer. Its transaction proves its hash.',
  gone: 'Its proof needs the value, which the server no longer has. Its transaction proves its hash.',
  hidden: 'Which revision this was is not known.',
  unresolved: 'Its value then is not known.',
}

/** Whether a past state is also one that a key can have now, which can be written and verified. */
function isPresent(state: PastKeyState): state is KeyState {
  return state.kind !== 'not-yet' && state.kind !== 'hidden' && state.kind !== 'unresolved'
}

/** Longest name of a key in a title. */
const titleLength = 60

type DrawnKey = {
  database: string
  key: string
  time: string | null
  /** What is drawn beside it and no proof covers. */
  said: readonly Leaf[]
  /** Seconds since 1970 by the clock that decides what has expired. */
  now: number
}

/** The key as it is shown here, for its proof. */
function shownKey({ kind, entry }: KeyState & { entry: Entry }, drawn: DrawnKey): ShownKey {
  const { database, key, time, said, now } = drawn
  const { tx, value, expiresAt, target } = entry
  const what = `key ${cutText(keyLabel(key), titleLength)}`
  const about = { database, key, what, tx, time, said }
  switch (kind) {
    case 'live':
      return { ...about, state: 'live', value, expiresAt, target }
    case 'deleted':
      return { ...about, state: 'deleted', expiresAt }
    case 'dangling':
      return { ...about, state: 'dangling', expiresAt }
    default:
      return { ...about, state: 'expired', expiresAt, now }
  }
}
