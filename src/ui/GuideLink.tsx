import type { ReactNode } from 'react'
import { type GuideAnchor, guidePath } from '~/lib/guide-anchors'
import { Link } from '~/ui/Link'

/** Leads from a screen to what the guide says about it. */
export function GuideLink({ to, children }: { to: GuideAnchor; children: ReactNode }) {
  return (
    <Link className="text-primary underline" to={guidePath(to)}>
      {children}
    </Link>
  )
}
