import { useAtomValue, useSetAtom } from 'jotai'
import { timezoneAtom } from '~/atoms/settings/view'
import { dismissSwapAtom, type ServerSwap } from '~/atoms/trust/server-swap'
import { pathTo } from '~/lib/paths'
import { formatMoment } from '~/lib/text'
import { Button } from '~/ui/Button'
import { WarningIcon } from '~/ui/Icon'
import { Link } from '~/ui/Link'
import { SafeText } from '~/ui/SafeText'

/** Says that one accepted server answers in the place of another, until it was seen. */
export function SwapBar({ swap: { before, now } }: { swap: ServerSwap }) {
  const dismiss = useSetAtom(dismissSwapAtom)
  const timezone = useAtomValue(timezoneAtom)
  const { server, at, reason } = now
  return (
    <section
      aria-label="Another server"
      className="flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-warning/45 border-b bg-warning-tint px-3 py-1.5"
    >
      <WarningIcon className="shrink-0 text-warning" size={20} />
      <p className="min-w-0 flex-1 basis-80 [overflow-wrap:anywhere]" role="status">
        <b className="font-medium">Another accepted server answers now.</b>{' '}
        <code className="font-mono text-sm">
          <SafeText text={server || 'One without a name'} />
        </code>{' '}
        answers in place of{' '}
        <code className="font-mono text-sm">
          <SafeText text={before || 'one without a name'} />
        </code>
        . Known here since {formatMoment(at, timezone)}
        {reason ? (
          <>
            : <SafeText text={reason} />
          </>
        ) : (
          '.'
        )}
      </p>
      <Link className="text-primary underline" to={pathTo('verify', { tab: 'points' })}>
        Show accepted servers
      </Link>
      <Button onClick={() => dismiss()} size="small">
        Dismiss
      </Button>
    </section>
  )
}
