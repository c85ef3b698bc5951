import { ComingSoon } from '~/ui/ComingSoon'

export default function OverviewScreen() {
  return <ComingSoon title="Overview" />
}
