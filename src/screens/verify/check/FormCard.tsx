import { type FormEvent, type ReactNode, useId } from 'react'
import { Button } from '~/ui/Button'

type Props = { title: string; children: ReactNode; onSubmit: () => void }

/** Fields and the button that verifies what they name. */
export function FormCard({ title, children, onSubmit }: Props) {
  const id = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <form
      aria-labelledby={id}
      className="grid grid-cols-1 gap-1 rounded border border-line bg-panel px-4 py-3"
      noValidate
      onSubmit={submit}
    >
      <h2 className="mb-1 font-medium" id={id}>
        {title}
      </h2>
      {children}
      <div>
        <Button type="submit" variant="primary">
          Verify
        </Button>
      </div>
    </form>
  )
}
