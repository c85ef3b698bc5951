import { useSetAtom } from 'jotai'
import { type FormEvent, useId, useState } from 'react'
import { openDocumentSessionAtom } from '~/atoms/documents/session'
import { sentence } from '~/core/session/failure-words'
import { messages } from '~/lib/shared-sentences'
import { Dialog } from '~/ui/Dialog'
import { DialogButtons } from '~/ui/DialogButtons'
import { PasswordField } from '~/ui/PasswordField'
import { useDocumentsAddress } from './address'

type Props = {
  /** The server ended the session before. */
  isAgain: boolean
  onOpened: () => void
  onClose: () => void
}

/** Asks for the password that a session of the server needs, and forgets it. */
export function SessionDialog({ isAgain, onOpened, onClose }: Props) {
  const { database } = useDocumentsAddress()
  const open = useSetAtom(openDocumentSessionAtom)
  const [password, setPassword] = useState('')
  const [failure, setFailure] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const id = useId()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    if (password === '') return setFailure(messages.required)
    setBusy(true)
    setFailure(undefined)
    // Nothing needs it from here on; a refused one has to be typed again anyway.
    setPassword('')
    try {
      await open(database, password)
      onOpened()
    } catch (error) {
      setFailure(sentence(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Dialog
      description={`${isAgain ? 'The session has ended. ' : ''}The server searches documents only in a session, which needs your password once. The console does not keep the password. The session serves this tab until you log out.`}
      footer={<DialogButtons action="Continue" busy={isBusy} form={id} onClose={onClose} />}
      isModal={false}
      onClose={onClose}
      open
      title="Open document session"
      width="small"
    >
      <form id={id} noValidate onSubmit={(event) => void submit(event)}>
        <PasswordField
          autoComplete="current-password"
          error={failure}
          label="Password"
          onChange={(typed) => {
            setPassword(typed)
            setFailure(undefined)
          }}
          value={password}
        />
      </form>
    </Dialog>
  )
}
