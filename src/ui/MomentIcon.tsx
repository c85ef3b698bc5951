import { Clock } from 'lucide-react'
import { icon } from '~/ui/Icon'

// Apart from the other icons, because only screens with data show it.
export const MomentIcon = /* @__PURE__ */ icon(Clock)
