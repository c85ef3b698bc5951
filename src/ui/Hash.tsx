import { visibleText } from '~/lib/visible-text'
import { CopyButton } from '~/ui/CopyButton'

type HashProps = {
  /** The whole hash as text. */
  hash: string
  /** What it is the hash of, for the copy button's name. */
  what?: string
  copy?: boolean
}

/** A hash, short enough to compare by eye: its first 8 and last 4 characters. */
export function Hash({ hash, what = 'hash', copy = true }: HashProps) {
  const short = hash.length > 13 ? `${hash.slice(0, 8)}…${hash.slice(-4)}` : hash
  return (
    <span className="inline-flex items-center gap-0.5 align-middle">
      <code translate="no" className="hash font-mono text-[13px]" title={visibleText(hash)}>
        {visibleText(short)}
      </code>
      {/* A finger needs more room than a line of text has. */}
      {copy && (
        <span className="-my-3 xs:my-0">
          <CopyButton size="tiny" text={hash} what={what} />
        </span>
      )}
    </span>
  )
}
