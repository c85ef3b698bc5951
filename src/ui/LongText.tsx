import { memo } from 'react'
import { SafeText } from '~/ui/SafeText'

/**
 * A long text from outside in the parts of `textParts`: the browser lays out only those in sight.
 * Where one ends within a line, a mark says that the line continues.
 */
export function LongText({ parts }: { parts: readonly string[] }) {
  if (parts.length < 2) return <SafeText lines text={parts[0] ?? ''} />
  return parts.map((text, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity beyond their place.
    <Part isLast={index === parts.length - 1} key={index} text={text} />
  ))
}

const Part = memo(function Part({ text, isLast }: { text: string; isLast: boolean }) {
  const goesOn = !isLast && !text.endsWith('\n')
  return (
    <div className="long-part" data-goes-on={goesOn || undefined}>
      <SafeText lines text={text} />
    </div>
  )
})
