import { useAtomValue } from 'jotai'
import { type ReactNode, useEffect, useRef } from 'react'
import { Route, Switch } from 'wouter'
import { useAct } from '~/core/act'
import {
  databaseAtom,
  listedAsAtom,
  modeAtom,
  sessionAtom,
  unopenedDatabaseAtom,
} from '~/core/session/session'
import { enterSession, listedAtom } from '~/core/session/session-start'
import { type PageName, pageAt, pathTo } from '~/lib/paths'
import { messages } from '~/lib/shared-sentences'
import { Boundary } from '~/ui/Boundary'
import { Button } from '~/ui/Button'
import { Link } from '~/ui/Link'
import { usePath, useSearchParam } from '~/ui/location'
import { SafeText } from '~/ui/SafeText'
import { ErrorPage, homeLinkLook } from './ErrorPage'
import { PageLoading } from './PageLoading'
import { pagesOfAddressed, pagesOfDatabase, pagesOfNumbers, pagesWithLogin, routes } from './routes'
import { useServers } from './servers/use-servers'
import { UnopenedDatabase } from './UnopenedDatabase'

// Outside React: the document's title and focus.

const needsLogin =
  'This server runs without login (--auth=false). SQL, databases and users need one.'

/** The screen of the present address; an unknown address gets the error page. */
export function Pages() {
  const path = usePath()
  const title = pageAt(path)?.title ?? messages.notFound
  const servers = useServers()
  const shown = useAtomValue(listedAsAtom)
  useTitle(servers.length > 1 && shown ? `${title} · ${shown.name}` : title)
  return (
    <Boundary
      fallback={(error, retry) => (
        <ErrorPage error={error} message={`${title} could not be shown.`} onRetry={retry} />
      )}
      resetKey={path}
    >
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
    </Boundary>
  )
}

/** The page, or why the mode of the server or the user's permissions do not allow it. */
function Allowed({ page, children }: { page: PageName; children: ReactNode }) {
  const hasLogin = useAtomValue(modeAtom) === 'login'
  const database = useAtomValue(databaseAtom)
  const unopened = useAtomValue(unopenedDatabaseAtom)
  const [addressed] = useSearchParam('db')
  if (!hasLogin && pagesWithLogin.has(page)) {
    return <Refused message={needsLogin} status={403} />
  }
  if (database === null && pagesOfDatabase.has(page)) return <NoDatabase />
  const isElsewhere = addressed !== undefined && addressed !== '' && addressed !== database
  const isUnopened = unopened !== null && unopened.name === addressed && pagesOfAddressed.has(page)
  if (isUnopened) return <UnopenedDatabase unopened={unopened} />
  // The database of the address is about to be opened.
  return isElsewhere && pagesOfNumbers.has(page) ? <PageLoading /> : children
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

/** Shown instead of a screen to a user who can open no database. */
function NoDatabase() {
  const user = useAtomValue(sessionAtom)?.user ?? ''
  const listed = useAtomValue(listedAtom) ?? []
  const enter = useAct(enterSession)
  const names = listed.map(({ name }) => name).join(', ')
  return (
    <section className="grid h-full place-content-center justify-items-center gap-3 p-6 text-center">
      <h1 className="font-medium text-xl">
        {names === ''
          ? 'You have no permission on any database'
          : 'None of your databases can be opened'}
      </h1>
      <p className="max-w-prose text-muted">
        <SafeText
          text={
            names === ''
              ? `${user} can log in here but can read nothing yet. An administrator can give a permission on the page Users.`
              : `None of them is loaded: ${names}. Someone with the permission “Admin” on one can load it.`
          }
        />
      </p>
      <div className="flex items-center gap-2">
        <Button onClick={() => void enter()}>Look again</Button>
        {names !== '' && (
          <Link className={homeLinkLook} to={pathTo('databases')}>
            Show the databases
          </Link>
        )}
      </div>
    </section>
  )
}
