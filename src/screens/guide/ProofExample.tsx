import { useSetAtom } from 'jotai'
import { showExampleAtom } from '~/atoms/trust/example-proof'
import { Button } from '~/ui/Button'
import { tamperProof } from './chapters/recorded-proof'
import type { ProofBlock, ProofCase } from './guide'
import { Plain } from './Prose'

/** A recorded answer, as it was and tampered with, to be verified in the drawer. */
export function ProofExample({ example: { cases } }: { example: ProofBlock }) {
  const show = useSetAtom(showExampleAtom)
  const open = async (one: ProofCase) => {
    const what = `the recorded example: ${one.title.toLowerCase()}`
    await show({ what, ...tamperProof(one.change) })
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
