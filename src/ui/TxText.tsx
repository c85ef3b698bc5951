import { Sentence } from './Sentence'
import { TxLink } from './TxLink'

const named = /\b(?:tx|transaction) (\d{1,3}(?:,\d{3})+|\d{1,20})(?![\d,]*\d)/g

/** A sentence in which the numbers of transactions lead to what these changed. */
export function TxText({ database, text }: { database: string; text: string }) {
  const parts = []
  let from = 0
  for (const found of text.matchAll(named)) {
    const [whole, number = ''] = found
    const word = whole.slice(0, whole.length - number.length)
    if (found.index > from) parts.push(<Sentence key={from} text={text.slice(from, found.index)} />)
    parts.push(
      <TxLink
        database={database}
        id={number.replaceAll(',', '')}
        key={`tx ${found.index}`}
        word={word}
      />,
    )
    from = found.index + whole.length
  }
  if (from < text.length) parts.push(<Sentence key={from} text={text.slice(from)} />)
  return parts
}
