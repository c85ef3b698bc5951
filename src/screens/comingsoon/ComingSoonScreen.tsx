import { ComingSoon } from '~/ui/ComingSoon'

export default function ComingSoonScreen() {
  return <ComingSoon title="Coming soon" />
}
