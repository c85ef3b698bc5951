import { useAtomValue, useSetAtom } from 'jotai'
import { type FormEvent, useId, useRef, useState } from 'react'
import { databasesAtom } from '~/atoms/databases'
import { databaseAtom } from '~/atoms/session'
import { checkUserAtom, createUserAtom } from '~/atoms/user-writes'
import { usersAtom, viewerAtom } from '~/atoms/users'
import { administered, userNameProblem, userNameRules } from '~/lib/user-rules'
import { visibleText } from '~/lib/visible-text'
import { Button } from '~/ui/Button'
import { Dialog } from '~/ui/Dialog'
import { Field } from '~/ui/Field'
import { Select } from '~/ui/Select'
import { chosenProblem, NewPassword, nothingChosen } from './NewPassword'
import { PermissionSelect } from './PermissionSelect'
import { RuleList } from './RuleList'
import { useWrite } from './use-write'
import { WriteFailure } from './WriteFailure'

type Props = { onClose: () => void; onAdded: (name: string) => void }

/** Adds a user with a first permission on one database. */
export function AddUserDialog({ onClose, onAdded }: Props) {
  const form = useId()
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState(nothingChosen)
  const [database, setDatabase] = useFirstDatabase()
  const [level, setLevel] = useState(1)
  const [isSubmitted, setSubmitted] = useState(false)
  const boxes = { name: useRef<HTMLInputElement>(null), password: useRef<HTMLInputElement>(null) }
  const create = useSetAtom(createUserAtom)
  const check = useSetAtom(checkUserAtom)
  const taken = useTakenNames()
  const write = useWrite(() => onAdded(name))
  const nameProblem = userNameProblem(name, taken)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setSubmitted(true)
    const { password } = chosen
    if (nameProblem) return boxes.name.current?.focus()
    if (chosenProblem(chosen)) return boxes.password.current?.focus()
    if (database === undefined) return
    void write.start(() => create({ user: name, password, database, permission: level }))
  }
  const look = () =>
    check(name, (user) =>
      user
        ? `${name} exists now.`
        : `There is no user ${name} so far. A server that was busy may yet add it; check again.`,
    )
  return (
    <Dialog
      description="Who can log in, and to which database first. More permissions can be given later."
      footer={
        <>
          <Button
            disabledReason={write.isBusy ? 'The user is being added.' : undefined}
            onClick={onClose}
          >
            Cancel
          </Button>
          <Button busy={write.isBusy} form={form} type="submit" variant="primary">
            Add user
          </Button>
        </>
      }
      onClose={onClose}
      open
      persistent={write.isBusy || name !== '' || chosen.password !== ''}
      title="Add user"
    >
      <form id={form} noValidate onSubmit={submit}>
        <WriteFailure check={look} notDone="The user was not added." write={write} />
        <Field
          autoCapitalize="none"
          autoComplete="off"
          error={name !== '' || isSubmitted ? nameProblem : undefined}
          label="Username"
          mono
          onChange={setName}
          ref={boxes.name}
          spellCheck={false}
          value={name}
        />
        <RuleList label="Rules for the username" rules={userNameRules(name)} />
        <NewPassword
          box={boxes.password}
          isSubmitted={isSubmitted}
          label="Password"
          onChange={setChosen}
          user={name}
          value={chosen}
        />
        <div className="grid gap-3 xs:grid-cols-2">
          <DatabaseSelect onChange={setDatabase} value={database} />
          <PermissionSelect label="Permission" labelled level={level} onChange={setLevel} />
        </div>
      </form>
    </Dialog>
  )
}

function useTakenNames(): ReadonlySet<string> {
  return new Set(useAtomValue(usersAtom).data?.map(({ user }) => user))
}

function useManaged(): string[] {
  const viewer = useAtomValue(viewerAtom)
  const databases = useAtomValue(databasesAtom).data ?? []
  return administered(
    viewer,
    databases.map(({ name }) => name),
  )
}

/** The open database if users may be added there, else the first where they may. */
function useFirstDatabase() {
  const open = useAtomValue(databaseAtom)
  const managed = useManaged()
  const [picked, setPicked] = useState<string>()
  const first = open !== null && managed.includes(open) ? open : managed[0]
  return [picked ?? first, setPicked] as const
}

function DatabaseSelect(props: { value: string | undefined; onChange: (name: string) => void }) {
  const options = useManaged().map((name) => ({ value: name, label: visibleText(name) }))
  return <Select {...props} label="Permission database" labelled options={options} wide />
}
