import { type TokenStyle, tokenStyle } from '~/sql/token-style'
import { tokenize } from '~/sql/tokens'
import { join } from '~/ui/join'
import { useReading } from './context'
import { Marks } from './Prose'
import { cutAt } from './pieces'
import { hitsIn } from './search'

/** The colours of the editor. */
const looks: Partial<Record<TokenStyle, string>> = {
  keyword: 'text-primary',
  typeName: 'text-info italic',
  atom: 'text-warning',
  number: 'text-warning',
  string: 'text-success',
  comment: 'text-muted italic',
  'variableName.standard': 'text-info',
  'variableName.special': 'text-warning italic',
  invalid: 'text-error',
}

const boxLook =
  'whitespace-pre-wrap px-3 py-2.5 font-mono text-sm leading-[1.55] [overflow-wrap:anywhere] [tab-size:2]'

/** SQL in the colours of the editor; long lines are broken, so that nothing must be scrolled. */
export function SqlCode({ sql }: { sql: string }) {
  const { words } = useReading()
  const pieces = tokenize(sql).map((token) => ({
    text: sql.slice(token.from, token.to),
    style: tokenStyle(sql, token),
    from: token.from,
  }))
  const cuts = cutAt(pieces, hitsIn(sql, words))
  return (
    <pre className={boxLook}>
      <code>
        {pieces.map((piece) => {
          const marks = <Marks cuts={cuts.filter((cut) => cut.piece === piece)} />
          const look = piece.style === null ? undefined : looks[piece.style]
          if (look === undefined) return <span key={piece.from}>{marks}</span>
          return (
            <span className={look} key={piece.from}>
              {marks}
            </span>
          )
        })}
      </code>
    </pre>
  )
}

/** Anything else that is written as it stands, such as a command. */
export function PlainCode({ text, muted }: { text: string; muted?: boolean }) {
  const { words } = useReading()
  return (
    <pre className={join(boxLook, muted && 'text-muted')}>
      <code>
        <Marks cuts={cutAt([{ text }], hitsIn(text, words))} />
      </code>
    </pre>
  )
}
