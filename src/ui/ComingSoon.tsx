import { pathTo } from '~/lib/paths'
import { Link } from '~/ui/Link'

/** A page that has a place but no content yet. */
export function ComingSoon({ title }: { title: string }) {
  return (
    <section className="grid h-full place-content-center justify-items-center gap-2 p-6 text-center">
      <h1 className="font-medium text-xl">{title}</h1>
      <p className="text-muted">This page is not here yet.</p>
      <Link className="text-primary underline" to={pathTo('query')}>
        Open Query
      </Link>
    </section>
  )
}
