import { ComingSoon } from '~/ui/ComingSoon'

const plans = [
  'Planned: a screen that lists collections and their documents.',
  'Until then, Verify checks a document by its ID.',
]

export default function ComingSoonScreen() {
  return <ComingSoon plans={plans} title="Coming soon" />
}
