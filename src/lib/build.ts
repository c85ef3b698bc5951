declare const __VERSION__: string
declare const __COMMIT__: string

/** What the build stamped into this bundle; `commit` is `dev` outside a git checkout. */
export const build = { version: __VERSION__, commit: __COMMIT__ } as const

declare const __WORKERS__: Readonly<Record<string, string>>

/** File names of the workers of this build, by the names of their sources; empty in tests. */
export const workers: ReadonlyMap<string, string> = new Map(Object.entries(__WORKERS__))
