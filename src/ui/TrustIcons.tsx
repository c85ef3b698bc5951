import { Shield, ShieldAlert, ShieldCheck, ShieldEllipsis, ShieldQuestionMark } from 'lucide-react'
import { icon } from '~/ui/Icon'

/** Apart from the other icons, because the login needs none of them. */
export const FirstContactIcon = /* @__PURE__ */ icon(Shield)
export const BrokenIcon = /* @__PURE__ */ icon(ShieldAlert)
export const ConsistentIcon = /* @__PURE__ */ icon(ShieldCheck)
export const CheckingIcon = /* @__PURE__ */ icon(ShieldEllipsis)
export const UncheckedIcon = /* @__PURE__ */ icon(ShieldQuestionMark)
