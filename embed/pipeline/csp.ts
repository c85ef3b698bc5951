import { type BuildOptions, foreignOrigins, noOptions } from './build-options.ts'

/**
 * The port on which immudb serves its metrics. Only the page's own copy of the policy allows it: our
 * handler has metrics at its own origin and brings the copy in line with its header.
 */
const metrics = 'http://*:9497 https://*:9497'

/**
 * Radix Select writes one constant `<style>` for its viewport. A test computes this from the
 * installed package, so an update that changes the text is noticed.
 */
export const radixSelectStyle = 'sha256-441zG27rExd4/il+NvIqyL8zFx5XmyNQtE381kSkUJk='

function directives(options: BuildOptions, others: readonly string[]): readonly string[] {
  const { scripts, calls } = foreignOrigins(options)
  return [
    "default-src 'none'",
    ["script-src 'self'", ...scripts].join(' '),
    `style-src 'self' '${radixSelectStyle}'`,
    "style-src-attr 'none'",
    "img-src 'self' data:",
    "font-src 'self'",
    ["connect-src 'self'", ...others, ...calls].join(' '),
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ]
}

/** The policy of our own handler, for the response header. */
export function headerPolicy(options: BuildOptions = noOptions): string {
  return directives(options, []).join('; ')
}

/**
 * The policy for the shell's meta tag, the only one on a plain file server. In a meta tag browsers
 * ignore `frame-ancestors` and warn.
 */
export function metaPolicy(options: BuildOptions = noOptions): string {
  return directives(options, [metrics])
    .filter((directive) => !directive.startsWith('frame-ancestors'))
    .join('; ')
}
