import { collections, columns, documents, keys, rows, tables } from '~/atoms/finder/content-kinds'
import { hashes, moments, times, transactions } from '~/atoms/finder/history-kinds'
import { editors, savedQueries } from '~/atoms/finder/query-kinds'
import { databases, servers, users } from '~/atoms/finder/server-kinds'
import type { Kind } from '~/atoms/finder/thing'
import { actions, screens, settings } from './own-kinds'

/**
 * Every kind of thing that can be found, in the order in which equally good ones are shown. The
 * guide joins them once its text is here.
 */
export const kinds: readonly Kind[] = [
  transactions,
  hashes,
  times,
  rows,
  documents,
  tables,
  collections,
  keys,
  databases,
  servers,
  users,
  moments,
  savedQueries,
  editors,
  columns,
  screens,
  actions,
  settings,
]
