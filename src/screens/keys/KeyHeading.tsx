import { CopyButton } from '~/ui/CopyButton'
import { copiedKey, KeyName } from './KeyName'

/** The name of the open key, to be read and copied. */
export function KeyHeading({ of }: { of: string }) {
  return (
    <div className="flex items-start gap-1">
      <h2 className="line-clamp-6 min-w-0 break-words font-mono text-lg [overflow-wrap:anywhere]">
        <KeyName of={of} />
      </h2>
      <span className="-my-2.5 xs:my-0">
        <CopyButton size="tiny" text={copiedKey(of)} what="the key" />
      </span>
    </div>
  )
}
