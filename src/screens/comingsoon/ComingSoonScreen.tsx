import { pathTo } from '~/lib/paths'
import { Link } from '~/ui/Link'

/** A page for what is only planned; older links lead here. */
export default function ComingSoonScreen() {
  return (
    <section className="grid h-full place-content-center justify-items-center gap-3 p-6 text-center">
      <h1 className="font-medium text-xl">Coming soon</h1>
      <p className="max-w-[480px] text-muted">
        Nothing is announced. Documents now have their own page.
      </p>
      <p className="flex flex-wrap justify-center gap-x-4 gap-y-1">
        <Link className="text-primary underline" to={pathTo('documents')}>
          Open Documents
        </Link>
        <Link className="text-primary underline" to={pathTo('overview')}>
          Open Overview
        </Link>
      </p>
    </section>
  )
}
