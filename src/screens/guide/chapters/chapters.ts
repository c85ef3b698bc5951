import type { Chapter } from '../guide'
import { compatibility } from './compatibility'
import { damage } from './damage'
import { documents } from './documents'
import { firstSteps } from './first-steps'
import { fromPrograms } from './from-programs'
import { glossary } from './glossary'
import { keysAndValues } from './keys-and-values'
import { operating } from './operating'
import { proxies } from './proxies'
import { severalServers } from './several-servers'
import { shortcuts } from './shortcuts'
import { sqlRows } from './sql-rows'
import { sqlTables } from './sql-tables'
import { standingAuditor } from './standing-auditor'
import { timeTravel } from './time-travel'
import { troubleshooting } from './troubleshooting'
import { users } from './users'
import { verifying } from './verifying'

/** The guide in the order in which it is read. This file is data. */
export const chapters: readonly Chapter[] = [
  firstSteps,
  {
    id: 'sql',
    title: 'SQL',
    intro:
      'immudb’s own dialect, much of it standard. Run the examples in order in an empty database.',
    sections: [...sqlTables, ...sqlRows],
  },
  keysAndValues,
  documents,
  timeTravel,
  verifying,
  standingAuditor,
  damage,
  users,
  operating,
  severalServers,
  proxies,
  fromPrograms,
  compatibility,
  troubleshooting,
  shortcuts,
  glossary,
]
