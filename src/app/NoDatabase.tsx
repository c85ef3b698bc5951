import { useAtomValue, useSetAtom } from 'jotai'
import { sessionAtom } from '~/atoms/session/session'
import { enterAtom, listedAtom } from '~/atoms/session/start'
import { pathTo } from '~/lib/paths'
import { Button } from '~/ui/Button'
import { Link } from '~/ui/Link'
import { SafeText } from '~/ui/SafeText'
import { homeLinkLook } from './ErrorPage'

/** What stands in the place of a screen for somebody who can open no database at all. */
export function NoDatabase() {
  const user = useAtomValue(sessionAtom)?.user ?? ''
  const listed = useAtomValue(listedAtom) ?? []
  const enter = useSetAtom(enterAtom)
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
              ? `${user} may log in here, but was given nothing to read. An administrator can give a permission on the page Users.`
              : `None of them is loaded: ${names}. Somebody with the permission “Admin” on one can load it.`
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
