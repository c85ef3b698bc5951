import { Suspense, useEffect, useRef } from 'react'
import { Route, Switch } from 'wouter'
import { messages } from '~/lib/messages'
import { pageAt, pathTo } from '~/lib/paths'
import { Boundary } from '~/ui/Boundary'
import { Link } from '~/ui/Link'
import { usePath } from '~/ui/location'
import { ErrorPage, homeLinkLook } from './ErrorPage'
import { PageLoading } from './PageLoading'
import { routes } from './routes'

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
              <Screen />
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

function NotFound() {
  const home = (
    <Link className={homeLinkLook} to={pathTo('overview')}>
      {messages.backHome}
    </Link>
  )
  return <ErrorPage home={home} message={messages.notFound} status={404} />
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
