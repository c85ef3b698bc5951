import { counted } from '~/lib/text'
import type { Danger } from '~/sql/danger'
import { ConfirmDialog } from '~/ui/ConfirmDialog'
import { SafeName } from '~/ui/SafeName'
import { SafeText } from '~/ui/SafeText'

type Props = {
  database: string
  count: number
  dangers: readonly Danger[]
  onRun: () => void
  onClose: () => void
}

/** Asks before statements are sent that destroy much. */
export function DangerDialog({ database, count, dangers, onRun, onClose }: Props) {
  const run = () => {
    onClose()
    onRun()
  }
  return (
    <ConfirmDialog
      action="Run"
      busy={false}
      description={
        <>
          This changes <SafeName text={database} />. Earlier versions of rows stay in the history;
          the present ones are gone for whoever reads them.
        </>
      }
      onClose={onClose}
      onConfirm={run}
      open
      title={count === 1 ? 'Run this statement?' : `Run these ${counted(count, 'statement')}?`}
    >
      <ul className="list-disc space-y-1 ps-5">
        {dangers.map(({ text }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a danger is its place in the list.
          <li className="break-words" key={at}>
            <SafeText text={text} />
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  )
}
