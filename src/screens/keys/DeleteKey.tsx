import { useAtomValue } from 'jotai'
import { checkDelete, deleteKey, deleteStateAtom } from '~/atoms/keys/key-write'
import { useAct } from '~/core/act'
import { base64ToBytes, bytesToHex } from '~/lib/bytes'
import { AskDialog } from '~/ui/AskDialog'
import { useKeysAddress } from './address'
import { KeyName } from './KeyName'

/** Asks before a key is deleted and says what that does not do. */
export function DeleteKey({ of, onClose }: { of: string; onClose: () => void }) {
  const { database } = useKeysAddress()
  const remove = useAct(deleteKey)
  const check = useAct(checkDelete)
  const state = useAtomValue(deleteStateAtom)
  const bytes = base64ToBytes(of)
  return (
    <AskDialog
      action="Delete the key"
      description={
        <>
          <span className="font-mono text-text [overflow-wrap:anywhere]">
            <KeyName of={of} />
          </span>{' '}
          will no longer be listed or found, and references to it will find nothing.
        </>
      }
      isDanger
      onAction={() => remove(of)}
      onClose={onClose}
      title="Delete this key?"
      write={{
        state,
        database,
        notDone: 'Nothing was deleted.',
        notKnown: 'this was deleted',
        onCheck: () => check(),
      }}
    >
      <div className="grid gap-3">
        {bytes.some((byte) => byte < 0x20 || byte > 0x7e) && (
          <p className="break-words text-muted text-sm">
            Not plain ASCII; its bytes are{' '}
            <span className="font-mono [overflow-wrap:anywhere]">
              {bytesToHex(bytes.subarray(0, 128))}
            </span>
          </p>
        )}
        <p>
          The deletion is a new revision. It does not change earlier ones: they stay in the history,
          and can be read and proven as before. The key can be set again at any time.
        </p>
      </div>
    </AskDialog>
  )
}
