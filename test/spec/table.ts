import { calls } from './calls'
import { constants } from './constants'
import { entities } from './entities'
import { errors } from './errors'
import { purpose } from './purpose'
import type { Requirement } from './requirement'
import { roles } from './roles'
import { screens } from './screens'
import { states } from './states'
import { validation } from './validation'

/** The specification in nine sections, sentence by sentence. */
export const sections: readonly (readonly Requirement[])[] = [
  purpose,
  screens,
  entities,
  states,
  validation,
  roles,
  calls,
  errors,
  constants,
]
