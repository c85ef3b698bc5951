import { ComingSoon } from '~/ui/ComingSoon'

export default function SettingsScreen() {
  return <ComingSoon title="Settings" />
}
