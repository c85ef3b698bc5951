import { pageAt, pathTo } from '~/lib/paths'
import { Link } from '~/ui/Link'
import { Logo } from '~/ui/Logo'
import { usePath } from '~/ui/location'

/** Where one is: the product, then the page. */
export function Breadcrumbs() {
  const page = pageAt(usePath())
  return (
    <nav aria-label="Breadcrumbs" className="min-w-0">
      <ol className="flex items-center gap-2">
        <li className="hidden xs:block">
          <Link aria-label="Home" className="block rounded" to={pathTo('overview')}>
            <Logo height={20} />
          </Link>
        </li>
        <li aria-hidden="true" className="hidden text-muted xs:block">
          /
        </li>
        <li aria-current="page" className="truncate font-medium">
          {page?.title ?? 'Not found'}
        </li>
      </ol>
    </nav>
  )
}
