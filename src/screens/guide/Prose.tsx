import type { ReactNode } from 'react'
import { pathTo } from '~/lib/paths'
import { reveal } from '~/ui/anchor'
import { Link } from '~/ui/Link'
import { useReading } from './context'
import { type Cut, cutAt, type Piece, piecesOf } from './pieces'
import { hitsIn } from './search'

/** A text of the guide, with what is looked for marked in it. */
export function Prose({ text }: { text: string }) {
  const { words } = useReading()
  const pieces = piecesOf(text)
  const cuts = cutAt(pieces, hitsIn(pieces.map((piece) => piece.text).join(''), words))
  return pieces.map((piece, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no identity beyond their place.
    <Look key={index} piece={piece}>
      {marked(cuts.filter((cut) => cut.piece === piece))}
    </Look>
  ))
}

/** A text as it stands, such as a value or a title, with what is looked for marked in it. */
export function Plain({ text }: { text: string }) {
  const { words } = useReading()
  return marked(cutAt([{ text }], hitsIn(text, words)))
}

/** The texts of the cuts, those that are hits as marks. */
export function marked(cuts: readonly Cut<unknown>[]): ReactNode {
  return cuts.map(({ text, isHit }, index) =>
    isHit ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: cuts have no identity beyond their place.
      <mark className="rounded-sm bg-warning/25 text-text" key={index}>
        {text}
      </mark>
    ) : (
      text
    ),
  )
}

const linkLook = 'text-primary underline'

function Look({ piece, children }: { piece: Piece; children: ReactNode }) {
  const { database } = useReading()
  switch (piece.look) {
    case 'plain':
      return children
    case 'code':
      return (
        <code translate="no" className="rounded-sm bg-hover px-1 py-px font-mono text-[0.93em]">
          {children}
        </code>
      )
    case 'name':
      return <b className="font-medium">{children}</b>
    case 'keys':
      return <Keys>{children}</Keys>
    case 'anchor':
      return (
        <AnchorLink className={linkLook} to={piece.id}>
          {children}
        </AnchorLink>
      )
    case 'page':
      return (
        <Link className={linkLook} to={pathTo(piece.page, database)}>
          {children}
        </Link>
      )
  }
}

type Props = {
  /** The id of a chapter or section. */
  to: string
  /** The whole address, when the search is to stay. */
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
    // A link to the present address changes nothing, so it scrolls here, after the list has closed.
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

/** Keys to press, as one box: the guide names too many of them for a box each. */
export function Keys({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-block whitespace-nowrap rounded-sm border border-line bg-page px-1.5 text-center font-sans text-muted text-xs leading-[18px]">
      {children}
    </kbd>
  )
}
