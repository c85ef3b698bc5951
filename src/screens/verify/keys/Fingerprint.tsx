import { fingerprintOf } from '~/proof/public-key'
import { CopyButton } from '~/ui/CopyButton'

/** SHA-256 of a key, whole: fingerprints are compared by eye, digit by digit. */
export function Fingerprint({ of, what }: { of: string; what: string }) {
  const digits = fingerprintOf(of)
  const groups = digits.match(/.{1,8}/g) ?? []
  return (
    <span className="inline-flex max-w-full items-start gap-1">
      <code className="flex min-w-0 flex-wrap gap-x-2 font-mono text-[13px]">
        {groups.map((group, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same digits may come twice.
          <span key={index}>{group}</span>
        ))}
      </code>
      <span className="-my-3 xs:my-0">
        <CopyButton size="tiny" text={digits} what={what} />
      </span>
    </span>
  )
}
