import { useState } from 'react'
import { openDocumentSession } from '~/atoms/documents/session'
import { useAct } from '~/core/act'
import { sentence } from '~/core/session/failure-words'
import { messages } from '~/lib/shared-sentences'
import { AskDialog } from '~/ui/AskDialog'
import { ErrorNote } from '~/ui/ErrorNote'
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
  const open = useAct(openDocumentSession)
  const [password, setPassword] = useState('')
  const [isMissing, setMissing] = useState(false)
  const [failure, setFailure] = useState<string>()
  const start = async () => {
    setFailure(undefined)
    if (password === '') {
      setMissing(true)
      return false
    }
    // Nothing needs it from here on; a refused one has to be typed again anyway.
    setPassword('')
    try {
      await open(database, password)
      onOpened()
    } catch (error) {
      setFailure(sentence(error))
    }
    return false
  }
  return (
    <AskDialog
      action="Continue"
      description={`${isAgain ? 'The session has ended. ' : ''}The server searches documents only in a session, which needs your password once. The console does not keep the password. The session serves this tab until you log out.`}
      isModal={false}
      mayLeave
      onAction={start}
      onClose={onClose}
      title="Open document session"
      width="small"
    >
      <PasswordField
        autoComplete="current-password"
        error={isMissing ? messages.required : undefined}
        label="Password"
        onChange={(typed) => {
          setPassword(typed)
          setMissing(false)
          setFailure(undefined)
        }}
        value={password}
      />
      {failure !== undefined && <ErrorNote title={failure} />}
    </AskDialog>
  )
}
