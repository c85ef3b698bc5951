import { useAtomValue } from 'jotai'
import { useRef, useState } from 'react'
import { usersAtom } from '~/atoms/users/user-list'
import { checkUser, createUser } from '~/atoms/users/writes'
import { useAct } from '~/core/act'
import { databaseAtom } from '~/core/session/session'
import { userNameProblem, userNameRules } from '~/immudb/user-rules'
import { AskDialog } from '~/ui/AskDialog'
import { Field } from '~/ui/Field'
import { notSoFar } from '~/words/outcome'
import { DatabaseSelect, useManagedDatabases } from './DatabaseSelect'
import { chosenProblem, NewPassword, nothingChosen, RuleList } from './NewPassword'
import { PermissionSelect } from './PermissionSelect'
import { useUserWrite } from './use-write'

type Props = { onClose: () => void; onAdded: (name: string) => void }

/** Adds a user with a first permission on one database. */
export function AddUserDialog({ onClose, onAdded }: Props) {
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState(nothingChosen)
  const { managed, database, setDatabase } = useFirstDatabase()
  const [level, setLevel] = useState(1)
  const [isSubmitted, setSubmitted] = useState(false)
  const boxes = { name: useRef<HTMLInputElement>(null), password: useRef<HTMLInputElement>(null) }
  const create = useAct(createUser)
  const check = useAct(checkUser)
  const taken = useTakenNames()
  const write = useUserWrite(() => onAdded(name))
  const nameProblem = userNameProblem(name, taken)
  const add = () => {
    setSubmitted(true)
    const { password } = chosen
    if (nameProblem) return boxes.name.current?.focus()
    if (chosenProblem(chosen)) return boxes.password.current?.focus()
    if (database === undefined) return
    void write.start(() => create({ user: name, password, database, permission: level }))
  }
  const look = () =>
    check(name, (user) =>
      user ? `${name} exists now.` : notSoFar(`There is no user ${name} yet.`, 'add it'),
    )
  return (
    <AskDialog
      action="Add user"
      description="Who can log in, and to which database first. More permissions can be given later."
      isTyped={name !== '' || chosen.password !== ''}
      onAction={add}
      onClose={onClose}
      refusal={database === undefined ? 'Choose a database first.' : undefined}
      title="Add user"
      write={write.shown('The user was not added.', look)}
    >
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
      <RuleList isEmpty={name === ''} label="Rules for the username" rules={userNameRules(name)} />
      <NewPassword
        box={boxes.password}
        isSubmitted={isSubmitted}
        label="Password"
        onChange={setChosen}
        user={name}
        value={chosen}
      />
      <div className="grid gap-3 xs:grid-cols-2">
        <DatabaseSelect onChange={setDatabase} options={managed} value={database} />
        <PermissionSelect label="Permission" labelled level={level} onChange={setLevel} />
      </div>
    </AskDialog>
  )
}

function useTakenNames(): ReadonlySet<string> {
  return new Set(useAtomValue(usersAtom).data?.map(({ user }) => user))
}

/** The open database if users may be added there, else the first where they may. */
function useFirstDatabase() {
  const open = useAtomValue(databaseAtom)
  const managed = useManagedDatabases()
  const [picked, setPicked] = useState<string>()
  const first = open !== null && managed.includes(open) ? open : managed[0]
  return { managed, database: picked ?? first, setDatabase: setPicked }
}
