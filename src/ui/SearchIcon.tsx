import { Search } from 'lucide-react'
import { icon } from '~/ui/Icon'

// Apart from the other icons, because nothing before the login shows it.
export const SearchIcon = /* @__PURE__ */ icon(Search)
