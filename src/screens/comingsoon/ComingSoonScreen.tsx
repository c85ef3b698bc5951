import { pathTo } from '~/lib/paths'
import { Link } from '~/ui/Link'

const plans = [
  'Planned: a screen that lists collections and their documents.',
  'Until then, Verify checks a document by its ID.',
]

export default function ComingSoonScreen() {
  return <ComingSoon plans={plans} title="Coming soon" />
}

type Props = {
  title: string
  /** What is planned, a sentence each. */
  plans: readonly string[]
}

/** A page for what is only planned: it says what that is, and leads on. */
function ComingSoon({ title, plans }: Props) {
  return (
    <section className="grid h-full place-content-center justify-items-center gap-3 p-6 text-center">
      <h1 className="font-medium text-xl">{title}</h1>
      <ul className="grid max-w-[480px] gap-1 text-muted">
        {plans.map((plan) => (
          <li key={plan}>{plan}</li>
        ))}
      </ul>
      <p className="flex flex-wrap justify-center gap-x-4 gap-y-1">
        <Link className="text-primary underline" to={pathTo('verify', { tab: 'check' })}>
          Verify a document
        </Link>
        <Link className="text-primary underline" to={pathTo('overview')}>
          Open Overview
        </Link>
      </p>
    </section>
  )
}
