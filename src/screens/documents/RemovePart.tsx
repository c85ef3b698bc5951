import { AskDialog } from '~/ui/AskDialog'
import { SafeName } from '~/ui/SafeText'
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
    <AskDialog
      action={`Remove the ${noun}`}
      description={description}
      isDanger
      onAction={() => write.start(wanted)}
      onClose={onClose}
      title={
        <>
          Remove the {noun}{' '}
          <span className="font-mono">
            <SafeName text={name} />
          </span>
          ?
        </>
      }
      write={{ ...write.shown, notDone: 'Nothing was removed.' }}
    />
  )
}
