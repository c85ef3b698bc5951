import { ComingSoon } from '~/ui/ComingSoon'

export default function UsersScreen() {
  return <ComingSoon title="Users" />
}
