import { useAtomValue } from 'jotai'
import { useRef, useState } from 'react'
import type { User } from '~/api/users'
import { viewerAtom } from '~/atoms/users/viewer'
import { changePassword, checkUser } from '~/atoms/users/writes'
import { useAct } from '~/core/act'
import { refusalToChangePassword } from '~/immudb/user-rules'
import { systemAdmin } from '~/lib/constants'
import { messages } from '~/lib/shared-sentences'
import { idle } from '~/lib/write-state'
import { AskDialog } from '~/ui/AskDialog'
import { PasswordField } from '~/ui/PasswordField'
import { SafeName } from '~/ui/SafeText'
import { notSoFar } from '~/words/outcome'
import { chosenProblem, NewPassword, nothingChosen } from './NewPassword'
import { useUserWrite } from './use-write'

type Props = { user: User; onClose: () => void }

/**
 * A new password for another user or oneself. The old one is asked for only where the server checks
 * it: for the system admin.
 */
export function PasswordDialog({ user, onClose }: Props) {
  const viewer = useAtomValue(viewerAtom)
  const fields = usePasswordFields(user.user === systemAdmin)
  const { old, chosen, again, errors, boxes } = fields
  const write = useUserWrite(onClose)
  const change = useAct(changePassword)
  const check = useAct(checkUser)
  const isOwn = user.user === viewer.name
  const refusal = refusalToChangePassword(viewer, user)
  const isOldWrong = write.state.kind === 'refused' && write.state.reason === 'wrong-old-password'
  const send = () => {
    if (!fields.submit()) return
    const request = { user: user.user, oldPassword: old, newPassword: chosen.password }
    void write.start(() => change(request))
  }
  const typeOld = (value: string) => {
    if (isOldWrong) write.forget()
    fields.setOld(value)
  }
  return (
    <AskDialog
      action="Change password"
      description={isOwn ? ownConsequence : <Consequence name={user.user} />}
      isTyped={(old + chosen.password + again).length > 0}
      onAction={send}
      onClose={onClose}
      refusal={refusal}
      title={isOwn ? 'Change your password' : `Change the password of ${user.user}`}
      // A wrong old password is said at its field.
      write={{
        ...write.shown('The password was not changed.', () =>
          check(user.user, (now) => passwordFinding(user, now)),
        ),
        ...(isOldWrong && { state: idle }),
      }}
    >
      {refusal && <p className="mb-3 text-warning">{refusal}</p>}
      {/* Password managers keep a password with the name they find beside it. */}
      <input
        aria-hidden="true"
        autoComplete="username"
        className="sr-only"
        readOnly
        tabIndex={-1}
        type="text"
        value={user.user}
      />
      {user.user === systemAdmin && (
        <PasswordField
          autoComplete="current-password"
          error={isOldWrong ? 'This is not the old password.' : errors.old}
          label="Old password"
          onChange={typeOld}
          ref={boxes.old}
          value={old}
        />
      )}
      <NewPassword
        box={boxes.chosen}
        isSubmitted={fields.isSubmitted}
        label="New password"
        onChange={fields.setChosen}
        user={user.user}
        value={chosen}
      />
      <PasswordField
        autoComplete="new-password"
        error={errors.again}
        label="Repeat the new password"
        onChange={fields.setAgain}
        ref={boxes.again}
        value={again}
      />
    </AskDialog>
  )
}

const ownConsequence =
  'All your sessions end with it, this one too. You log in again with the new password, and your work here is kept.'

function Consequence({ name }: { name: string }) {
  return (
    <>
      All sessions of <SafeName text={name} /> end at once. Tell the user the new password yourself.
    </>
  )
}

function passwordFinding(before: User, now: User | null): string {
  if (!now) return `${before.user} is no longer listed.`
  if (now.createdat === before.createdat) {
    return notSoFar('Not changed yet.', 'do it')
  }
  return `${before.user} was changed in the meantime, by ${now.createdby || 'the server'}. Whether the password is the new one shows when ${before.user} logs in.`
}

/** The three fields of the form; all they hold is gone with the dialog. */
function usePasswordFields(needsOld: boolean) {
  const [old, setOld] = useState('')
  const [chosen, setChosen] = useState(nothingChosen)
  const [again, setAgain] = useState('')
  const [isSubmitted, setSubmitted] = useState(false)
  const boxes = {
    old: useRef<HTMLInputElement>(null),
    chosen: useRef<HTMLInputElement>(null),
    again: useRef<HTMLInputElement>(null),
  }
  const isDifferent = again !== chosen.password
  const submit = (): boolean => {
    setSubmitted(true)
    const isOldMissing = needsOld && old === ''
    const bad = isOldMissing
      ? boxes.old
      : chosenProblem(chosen)
        ? boxes.chosen
        : isDifferent
          ? boxes.again
          : null
    bad?.current?.focus()
    return bad === null
  }
  const errors = {
    old: isSubmitted && needsOld && old === '' ? messages.required : undefined,
    again: isDifferent && (isSubmitted || again !== '') ? 'The two are not the same.' : undefined,
  }
  return { old, setOld, chosen, setChosen, again, setAgain, isSubmitted, submit, errors, boxes }
}
