import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { loginAtom } from '~/atoms/login'
import { loginFailure } from '~/atoms/login-failure'
import { sessionAtom, sessionLossAtom } from '~/atoms/session'
import { loginNoticeAtom } from '~/atoms/start'
import { storedAtom } from '~/atoms/stored'
import { messages } from '~/lib/messages'
import { LoginForm } from './LoginForm'

/** The login form with what it is shown for; over a lost session it says that the work is kept. */
export function LoginCard() {
  const login = useSetAtom(loginAtom)
  const loss = useAtomValue(sessionLossAtom)
  const notice = useAtomValue(loginNoticeAtom)
  const session = useAtomValue(sessionAtom)
  const lastUser = useAtomValue(storedAtom).auth.user
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const submit = async (user: string, password: string, isStored: boolean) => {
    setBusy(true)
    setFailure(null)
    try {
      await login({ user, password, isStored })
    } catch (error) {
      setFailure(loginFailure(error))
    } finally {
      setBusy(false)
    }
  }
  const reason = loss === messages.dockerTokenExpired ? loss : 'Your session has ended.'
  return (
    <div className="w-full rounded-lg border border-line bg-panel p-5">
      <p className="mb-4 text-center text-muted">
        {loss === null ? 'Log in to continue' : `${reason} Log in again: your work is kept.`}
      </p>
      {notice && loss === null && <p className="mb-4 text-center text-warning">{notice}</p>}
      <LoginForm
        failure={failure}
        firstUser={session?.user ?? lastUser ?? ''}
        isBusy={isBusy}
        isStoredFirst={session?.isStored ?? true}
        onSubmit={submit}
      />
    </div>
  )
}
