import { ComingSoon } from '~/ui/ComingSoon'

export default function DatabasesScreen() {
  return <ComingSoon title="Databases" />
}
