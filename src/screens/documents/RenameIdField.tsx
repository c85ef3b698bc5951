import { useAtomValue } from 'jotai'
import { idFieldForms } from '~/atoms/documents/structure-drafts'
import { writeRefusalAtom } from '~/atoms/users/viewer'
import { type Collection, refusalOfIdField } from '~/immudb/collection'
import { AskDialog } from '~/ui/AskDialog'
import { Field } from '~/ui/Field'
import { SafeName } from '~/ui/SafeText'
import { useKeptForm } from '../tables/use-kept-form'
import { useDocumentsAddress } from './address'
import { useCollectionChange } from './use-collection-change'

type RenameProps = {
  of: Collection
  onClose: () => void
  /** It has its new name, as this says. */
  onDone: (name: string, text: string) => void
}

/** Renames the field that holds the ids; what is typed is kept until it is renamed or cancelled. */
export function RenameIdField({ of, onClose, onDone }: RenameProps) {
  const { database } = useDocumentsAddress()
  const [name, setName] = useKeptForm(idFieldForms, '', database, of.name)
  const reason = useAtomValue(writeRefusalAtom)
  const leave = () => {
    setName('')
    onClose()
  }
  const write = useCollectionChange((text) => {
    onDone(name, text)
    leave()
  })
  const problem = problemOf(of, name)
  return (
    <AskDialog
      action="Rename"
      description="Documents written from now on have their ids under the new name, and searches by id use it for all documents. Documents from before keep the old field, which is one like any other then."
      isTyped={name !== ''}
      onAction={() =>
        write.start({ kind: 'rename ids', collection: of.name, from: of.idField, idField: name })
      }
      onClose={leave}
      refusal={reason ?? problem}
      title={
        <>
          Rename the field{' '}
          <span className="font-mono">
            <SafeName text={of.idField} />
          </span>
        </>
      }
      write={{ ...write.shown, notDone: 'The field was not renamed.' }}
    >
      <Field
        autoComplete="off"
        error={name === '' ? undefined : problem}
        label="New name"
        mono
        onChange={setName}
        spellCheck={false}
        value={name}
      />
    </AskDialog>
  )
}

function problemOf(of: Collection, name: string): string | undefined {
  if (name === of.idField) return 'The field has this name already.'
  const isThere = of.fields.some((field) => field.name === name)
  return isThere ? 'There is a field of this name already.' : refusalOfIdField(name)
}
