import { useSetAtom } from 'jotai'
import { type Example, showExampleAtom } from '~/atoms/example-proof'
import { Button } from '~/ui/Button'
import { loadOrReload } from '~/ui/load-chunk'
import { showToast } from '~/ui/toast'
import type { ProofBlock, ProofCase } from './guide'
import { Plain } from './Prose'

/** A recorded answer, as it was and tampered with, to be verified in the drawer. */
export function ProofExample({ example: { cases } }: { example: ProofBlock }) {
  const show = useSetAtom(showExampleAtom)
  const open = async (one: ProofCase) => {
    const recorded = await loadOrReload(() => import('./chapters/recorded-proof')).catch(() => null)
    if (!recorded) {
      showToast({ kind: 'error', text: 'The example cannot be fetched: the server is away.' })
      return
    }
    await show(tampered(recorded, one))
  }
  return (
    <figure
      aria-label="Example: a recorded answer"
      className="rounded border border-line bg-panel print:hidden"
    >
      <ul>
        {cases.map((one) => (
          <li
            className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-t px-3 py-2.5 first:border-t-0"
            key={one.title}
          >
            <span className="min-w-0 flex-1 basis-60">
              <span className="block font-medium">
                <Plain text={one.title} />
              </span>
              <span className="block text-muted text-sm">
                <Plain text={one.text} />
              </span>
            </span>
            <Button aria-label={`Verify: ${one.title}`} onClick={() => void open(one)} size="small">
              Verify
            </Button>
          </li>
        ))}
      </ul>
    </figure>
  )
}

type Recorded = typeof import('./chapters/recorded-proof')

/** What somebody would change who wants to show another value, or another past. */
function tampered({ context, request, response }: Recorded, one: ProofCase): Example {
  const what = `the recorded example: ${one.title.toLowerCase()}`
  if (one.change === 'value') {
    const entry = { ...response.entry, value: otherValue }
    return { what, context, request, response: { ...response, entry } }
  }
  if (one.change === 'history') {
    const trusted = { txId: context.trusted?.txId ?? '', txHash: otherHash }
    return { what, context: { ...context, trusted }, request, response }
  }
  return { what, context, request, response }
}

/** `three` in the place of `two`. */
const otherValue = 'dGhyZWU='
/** What this browser would remember of a server that was restored and went on differently. */
const otherHash = '2okgviIl912w7VlZxkO2vbKYRfQ9awXRAmlmqGafDJU='
