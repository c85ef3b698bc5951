import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useState } from 'react'
import { loginAtom, loginPauseAtom } from '~/atoms/login'
import { loginFailure } from '~/atoms/login-failure'
import { lastUserAtom, sessionAtom, sessionLossAtom } from '~/atoms/session'
import { enterOpenAtom, loginNoticeAtom } from '~/atoms/start'
import { storedAtom } from '~/atoms/stored'
import { messages } from '~/lib/messages'
import { LoginForm } from './LoginForm'

/** The login form with what it is shown for; over a lost session it says that the work is kept. */
export function LoginCard() {
  const login = useSetAtom(loginAtom)
  const enterOpen = useSetAtom(enterOpenAtom)
  const loss = useAtomValue(sessionLossAtom)
  const notice = useAtomValue(loginNoticeAtom)
  const session = useAtomValue(sessionAtom)
  const storedUser = useAtomValue(storedAtom).auth.user
  const lastUser = useAtomValue(lastUserAtom) ?? storedUser
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const pause = usePause(failure)
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
  const isForeign = loss === messages.anotherServer
  const lost = isForeign
    ? `${loss} Your work is kept.`
    : (notice ?? `${reason} Log in again: your work is kept.`)
  return (
    <div className="w-full rounded-lg border border-line bg-panel p-5">
      <p
        className={isForeign ? 'mb-4 text-center text-warning' : 'mb-4 text-center text-muted'}
        role={isForeign ? 'alert' : undefined}
      >
        {loss === null ? 'Log in to continue' : lost}
      </p>
      {notice && loss === null && (
        <p
          className="mb-4 text-center text-warning"
          role={notice === messages.anotherServer ? 'alert' : undefined}
        >
          {notice}
        </p>
      )}
      <LoginForm
        failure={failure}
        firstUser={session?.user ?? lastUser ?? ''}
        isBusy={isBusy}
        isStoredFirst={session?.isStored ?? true}
        onEmpty={() => void enterOpen()}
        onSubmit={submit}
        pause={pause}
      />
      {loss === null && (
        <p className="mt-3 text-center text-muted text-sm">
          A server started without login needs neither: press Log in.
        </p>
      )}
    </div>
  )
}

/** Milliseconds to wait since a failure appeared; 0 once they are over. */
function usePause(failure: string | null): number {
  const pause = useAtomValue(loginPauseAtom)
  const [isOver, setOver] = useState(true)
  useEffect(() => {
    if (failure === null || pause === 0) return
    setOver(false)
    const timer = setTimeout(() => setOver(true), pause)
    return () => {
      clearTimeout(timer)
      setOver(true)
    }
  }, [failure, pause])
  return isOver ? 0 : pause
}
