import { Boundary } from '~/ui/Boundary'
import { lazyWithRetry } from '~/ui/lazy-with-retry'
import { useSearchParam } from '~/ui/location'

const LimitsDialog = lazyWithRetry(() =>
  import('~/screens/limits/LimitsDialog').then((part) => part.LimitsDialog),
)

/** The limits of the server, over whatever screen a link to them stands on. */
export function Limits() {
  const [name, show] = useSearchParam('limits')
  if (name === undefined) return null
  const close = () => show(undefined, { replace: true })
  return (
    <Boundary fallback={() => null} resetKey={name}>
      <LimitsDialog name={name} onClose={close} />
    </Boundary>
  )
}
