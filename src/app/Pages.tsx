import { useAtomValue } from 'jotai'
import { type ReactNode, Suspense, useEffect, useRef } from 'react'
import { Route, Switch } from 'wouter'
import { databaseAtom, modeAtom } from '~/atoms/session/session'
import { messages } from '~/lib/messages'
import { type PageName, pageAt, pathTo } from '~/lib/paths'
import { Boundary } from '~/ui/Boundary'
import { Link } from '~/ui/Link'
import { usePath } from '~/ui/location'
import { Progress } from '~/ui/Progress'
import { ErrorPage, homeLinkLook } from './ErrorPage'
import { NoDatabase } from './NoDatabase'
import { pagesOfDatabase, pagesWithLogin, routes } from './routes'

/** The screen of the present address; an unknown address gets the error page. */
export function Pages() {
  const path = usePath()
  const title = pageAt(path)?.title ?? messages.notFound
  useTitle(title)
  return (
    <Boundary
      fallback={(error, retry) => (
        <ErrorPage error={error} message={`${title} could not be shown.`} onRetry={retry} />
      )}
      resetKey={path}
    >
      <Suspense fallback={<PageLoading />}>
        <Switch>
          {routes.map(({ name, path: route, Screen }) => (
            <Route key={name} path={route}>
              <Allowed page={name}>
                <Screen />
              </Allowed>
            </Route>
          ))}
          <Route>
            <NotFound />
          </Route>
        </Switch>
      </Suspense>
    </Boundary>
  )
}

/** What the server as it runs, or the user's permissions, leave of a page. */
function Allowed({ page, children }: { page: PageName; children: ReactNode }) {
  const hasLogin = useAtomValue(modeAtom) === 'login'
  const isNothingOpen = useAtomValue(databaseAtom) === null
  if (!hasLogin && pagesWithLogin.has(page)) {
    return <Refused message={messages.needsLogin} status={403} />
  }
  return isNothingOpen && pagesOfDatabase.has(page) ? <NoDatabase /> : children
}

function NotFound() {
  return <Refused message={messages.notFound} status={404} />
}

function Refused({ status, message }: { status: number; message: string }) {
  const home = (
    <Link className={homeLinkLook} to={pathTo('overview')}>
      {messages.backHome}
    </Link>
  )
  return <ErrorPage home={home} message={message} status={status} />
}

/** The document's title and, after a change of page, the focus belong to the browser. */
function useTitle(title: string) {
  const isFirst = useRef(true)
  useEffect(() => {
    document.title = `${title} · webconsole`
    if (!isFirst.current) document.getElementById('content')?.focus({ preventScroll: true })
    isFirst.current = false
  }, [title])
}

/** While a screen is fetched: nothing for a moment, then a bar, so that quick ones do not flicker. */
function PageLoading() {
  return <Progress active label="Loading the page" />
}
