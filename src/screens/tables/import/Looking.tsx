import { formatSize } from '~/lib/size'
import { Button } from '~/ui/Button'
import { ErrorNote } from '~/ui/ErrorNote'
import { ProgressBar } from '~/ui/ProgressBar'
import type { useLook } from './use-look'

type Props = { look: ReturnType<typeof useLook>; size: number }

/** How far the look through a file is. */
export function Looking({ look: { bytes, failure, stop }, size }: Props) {
  if (failure !== null) return <ErrorNote notDone="Nothing was sent." title={failure} />
  const read = bytes ?? 0
  return (
    <section aria-label="Looking through the file" className="space-y-2 text-sm">
      <p role="status">
        Looking through the file for its types: {formatSize(read)} of {formatSize(size)}
      </p>
      <ProgressBar label="Looked through" share={size > 0 ? read / size : 1} />
      <Button onClick={stop} size="small">
        Stop looking
      </Button>
    </section>
  )
}
