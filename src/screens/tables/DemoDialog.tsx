import { counted } from '~/lib/text'
import { demoRows, demoSql, demoTables } from '~/sql/demo'
import { AskDialog } from '~/ui/AskDialog'
import { CopyButton } from '~/ui/CopyButton'
import { SafeName } from '~/ui/SafeText'

type Props = { database: string; onAdd: (sql: string) => void; onClose: () => void }

/** Shows what the demo data are before anything is stored. */
export function DemoDialog({ database, onAdd, onClose }: Props) {
  const add = () => {
    onClose()
    onAdd(demoSql)
  }
  return (
    <AskDialog
      action="Add demo data"
      description={
        <>
          {counted(demoTables.length, 'table')} with {counted(demoRows, 'row')} about an invented
          bicycle hire go into <SafeName text={database} /> as one transaction: all of it, or
          nothing.
        </>
      }
      more={<CopyButton size="normal" text={demoSql} what="the statements" worded />}
      onAction={add}
      onClose={onClose}
      title="Demo data"
      width="wide"
    >
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
        tabIndex={0}
        aria-label="Statements"
        className="max-h-[50vh] overflow-auto whitespace-pre rounded border border-line bg-page px-3 py-2 font-mono text-sm"
      >
        {demoSql}
      </section>
    </AskDialog>
  )
}
