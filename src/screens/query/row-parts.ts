import { TablePane } from '../tables/TablePane'
import { PlainRows, ResultRows } from './ResultRows'

/** What shows rows, of a result or of a table, in one script: most of it is how they are proven. */
export const rowParts = { PlainRows, ResultRows, TablePane }
