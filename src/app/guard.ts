import { messages } from '~/lib/messages'
import type { PageName } from '~/lib/paths'

/** What decides whether a page is shown; asked with the search of its address. */
export type Guarded = {
  /** Names of middlewares, asked in this order. */
  readonly middleware?: readonly string[]
  /** False: the address asks for something that cannot be, and is not found. */
  readonly isValid?: (search: URLSearchParams) => boolean
}

export type Verdict =
  | { kind: 'shown' }
  | { kind: 'moved'; to: string }
  | { kind: 'refused'; status: number; message: string }

type Middleware = (search: URLSearchParams) => Verdict

const home: Middleware = () => ({ kind: 'moved', to: '/' })

/** `home` sends to the home page, which is for pages that are only planned. */
const middlewares: ReadonlyMap<string, Middleware> = new Map([['home', home]])

/** Whether a page may be shown: its middlewares first, then its own check of the address. */
export function verdictOn({ middleware = [], isValid }: Guarded, search: URLSearchParams): Verdict {
  for (const name of middleware) {
    const ask = middlewares.get(name)
    if (!ask) {
      return { kind: 'refused', status: 500, message: `${messages.unknownMiddleware} ${name}` }
    }
    const verdict = ask(search)
    if (verdict.kind !== 'shown') return verdict
  }
  if (isValid?.(search) === false) {
    return { kind: 'refused', status: 404, message: messages.notFound }
  }
  return { kind: 'shown' }
}

/** Pages whose every call the server refuses while it runs without login (`--auth=false`). */
export const pagesWithLogin: ReadonlySet<PageName> = new Set(['query', 'databases', 'users'])

/** Pages that show nothing without an open database. */
export const pagesOfDatabase: ReadonlySet<PageName> = new Set([
  'overview',
  'query',
  'keys',
  'users',
])
