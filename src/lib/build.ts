declare const __VERSION__: string
declare const __COMMIT__: string

/** What the build stamped into this bundle; `commit` is `dev` outside a git checkout. */
export const build = { version: __VERSION__, commit: __COMMIT__ } as const
