import { counted, formatCount } from '~/lib/text'
import { visibleText } from '~/lib/visible-text'
import type { Danger } from '~/sql/destructive-statements'
import { AskDialog } from '~/ui/AskDialog'
import { SafeName, SafeText } from '~/ui/SafeText'

type Props = {
  database: string
  /** Statements that run together, those without danger included. */
  count: number
  dangers: readonly Danger[]
  onRun: () => void
  onClose: () => void
}

/** Dangers that are listed; a script may hold thousands. */
const shownDangers = 50

/** Asks before statements are sent that destroy much; each says for itself what it does. */
export function DangerDialog({ database, count, dangers, onRun, onClose }: Props) {
  const [first] = dangers
  const only = dangers.length === 1 && count === 1 ? first : undefined
  const run = () => {
    onClose()
    onRun()
  }
  // BEGIN … COMMIT is one request, however many statements it holds.
  const all = count === 1 ? 'transaction' : counted(count, 'statement')
  return (
    <AskDialog
      action={only ? buttonText(only) : `Run ${all}`}
      description={
        <>
          In the database <SafeName text={database} />
          {only ? '.' : ' this would:'}
        </>
      }
      isDanger
      onAction={run}
      onClose={onClose}
      title={only ? `${only.action}?` : `Run ${count === 1 ? 'this' : 'these'} ${all}?`}
    >
      {only ? (
        <p>{only.text}</p>
      ) : (
        <ul className="grid gap-2">
          {dangers.slice(0, shownDangers).map(({ action, text }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a danger is its place in the list.
            <li className="break-words" key={at}>
              <b className="block font-medium">
                <SafeText text={action} />
              </b>
              {text}
            </li>
          ))}
          {dangers.length > shownDangers && (
            <li>And {formatCount(dangers.length - shownDangers)} more like these.</li>
          )}
        </ul>
      )}
    </AskDialog>
  )
}

/** The whole action, or its short form where a long name would not fit on a button. */
function buttonText({ action, short }: Danger): string {
  const text = visibleText(action)
  return text.length <= 40 ? text : short
}
