import { ConfirmDialog } from '~/ui/ConfirmDialog'
import { SafeName } from '~/ui/SafeText'
import { WriteNote } from '~/ui/WriteNote'
import { useCollectionChange } from './use-collection-change'

type RemoveProps = {
  noun: 'field' | 'index'
  name: string
  description: string
  wanted: Parameters<ReturnType<typeof useCollectionChange>['start']>[0]
  onClose: () => void
  /** It is removed, as this says. */
  onDone: (text: string) => void
}

export function Remove({ noun, name, description, wanted, onClose, onDone }: RemoveProps) {
  const write = useCollectionChange((text) => {
    onDone(text)
    onClose()
  })
  return (
    <ConfirmDialog
      action={`Remove the ${noun}`}
      busy={write.isBusy}
      description={description}
      onClose={() => !write.isBusy && onClose()}
      onConfirm={() => write.start(wanted)}
      open
      title={
        <>
          Remove the {noun}{' '}
          <span className="font-mono">
            <SafeName text={name} />
          </span>
          ?
        </>
      }
    >
      <WriteNote notDone="Nothing was removed." onCheck={write.check} state={write.state} />
    </ConfirmDialog>
  )
}
