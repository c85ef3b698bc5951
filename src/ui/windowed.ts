import { DrawnGrid } from './grid/DrawnGrid'
import { DrawnList } from './measuredlist/DrawnList'
import { DrawnTree } from './tree/DrawnTree'

/** What draws only the rows that are in sight, in one script with what says which those are. */
export const windowed = { DrawnGrid, DrawnList, DrawnTree }
