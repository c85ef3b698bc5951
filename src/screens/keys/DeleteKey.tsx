import { useAtomValue, useSetAtom } from 'jotai'
import { checkDeleteAtom, deleteKeyAtom, deleteStateAtom } from '~/atoms/keys/key-write'
import { base64ToBytes, bytesToHex } from '~/lib/bytes'
import { isBusy } from '~/lib/write-state'
import { ConfirmDialog } from '~/ui/ConfirmDialog'
import { KeyName } from './KeyName'
import { WriteNote } from './WriteNote'

/** Asks before a key is deleted and says what that does not do. */
export function DeleteKey({ of, onClose }: { of: string; onClose: () => void }) {
  const remove = useSetAtom(deleteKeyAtom)
  const check = useSetAtom(checkDeleteAtom)
  const state = useAtomValue(deleteStateAtom)
  const isWriting = isBusy(state)
  const closeIf = (isDone: boolean) => isDone && onClose()
  const bytes = base64ToBytes(of)
  return (
    <ConfirmDialog
      action="Delete the key"
      busy={isWriting}
      description={
        <>
          <span className="font-mono text-text [overflow-wrap:anywhere]">
            <KeyName of={of} />
          </span>{' '}
          will no longer be listed or found, and references to it will find nothing.
        </>
      }
      onClose={() => !isWriting && onClose()}
      onConfirm={() => void remove(of).then(closeIf)}
      open
      title="Delete this key?"
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
        <WriteNote onCheck={() => void check(of).then(closeIf)} state={state} what="delete" />
      </div>
    </ConfirmDialog>
  )
}
