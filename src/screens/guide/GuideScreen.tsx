import { ComingSoon } from '~/ui/ComingSoon'

export default function GuideScreen() {
  return <ComingSoon title="Guide" />
}
