import type { ReactNode } from 'react'
import { Link } from '~/ui/Link'
import { reveal } from './address'
import { useReading } from './context'

type Props = {
  /** The id of a chapter or section. */
  to: string
  /** The whole address, when what is looked for shall stay. */
  path?: string
  isCurrent?: boolean
  className?: string
  onGo?: () => void
  children: ReactNode
}

/** A link to a heading of the guide, which gets the focus. */
export function AnchorLink({ to, path, isCurrent = false, className, onGo, children }: Props) {
  const reading = useReading()
  const go = () => {
    onGo?.()
    // The address may be there already, and then nothing else would tell. After the list has closed.
    setTimeout(() => reveal(to))
  }
  return (
    <Link
      aria-current={isCurrent ? 'location' : undefined}
      className={className}
      onClick={go}
      to={path ?? reading.pathTo(to)}
    >
      {children}
    </Link>
  )
}
