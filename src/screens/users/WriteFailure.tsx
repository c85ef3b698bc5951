import { WriteNote } from '~/ui/WriteNote'
import type { UserWrite } from './use-write'

type Props = {
  write: UserWrite
  /** What the server did not do when it refused. */
  notDone: string
  /** Reads what became of a write without an answer, as a sentence. */
  check: () => Promise<string>
}

/** Why a write failed, or that nobody knows whether it did and how to find out. */
export function WriteFailure({ write: { state, check: find }, notDone, check }: Props) {
  return (
    <div className="mb-3 empty:hidden">
      <WriteNote notDone={notDone} onCheck={() => void find(check)} state={state} />
    </div>
  )
}
