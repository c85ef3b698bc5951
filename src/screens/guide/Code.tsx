import { useMemo } from 'react'
import { type TokenStyle, tokenStyle } from '~/sql/token-style'
import { tokenize } from '~/sql/tokens'
import { useReading } from './context'
import { marked } from './Prose'
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

type Piece = { readonly text: string; readonly look: string | undefined; readonly from: number }

/** The tokens, with neighbours that look the same as one. */
function piecesOf(sql: string): Piece[] {
  const pieces: Piece[] = []
  for (const token of tokenize(sql)) {
    const style = tokenStyle(sql, token)
    const look = style === null ? undefined : looks[style]
    const text = sql.slice(token.from, token.to)
    const last = pieces.at(-1)
    if (last && last.look === look) pieces[pieces.length - 1] = { ...last, text: last.text + text }
    else pieces.push({ text, look, from: token.from })
  }
  return pieces
}

/** SQL in the colours of the editor; long lines are broken, so that nothing must be scrolled. */
export function SqlCode({ sql }: { sql: string }) {
  const { words } = useReading()
  const pieces = useMemo(() => piecesOf(sql), [sql])
  const cuts = cutAt(pieces, hitsIn(sql, words))
  return (
    <pre className={boxLook}>
      <code>
        {pieces.map((piece) => (
          <span className={piece.look} key={piece.from}>
            {marked(cuts.filter((cut) => cut.piece === piece))}
          </span>
        ))}
      </code>
    </pre>
  )
}

/** Anything else that is written as it stands, such as a command. */
export function PlainCode({ text }: { text: string }) {
  const { words } = useReading()
  return (
    <pre className={boxLook}>
      <code>{marked(cutAt([{ text }], hitsIn(text, words)))}</code>
    </pre>
  )
}
