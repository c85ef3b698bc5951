import { cookiePath } from './constants'

/** A cookie line that lives `maxAge` seconds; values are never secrets. */
export function cookieLine(name: string, value: string, maxAge: number): string {
  return `${name}=${encodeURIComponent(value)}; Max-Age=${maxAge}; Path=${cookiePath}; SameSite=Lax`
}

/**
 * The value of a cookie in a `document.cookie` string, or null. Pages on other ports of this host
 * share the cookies, so a value may be anything.
 */
export function cookieValue(cookies: string, name: string): string | null {
  const start = `${name}=`
  const found = cookies.split('; ').find((part) => part.startsWith(start))
  return found === undefined ? null : decoded(found.slice(start.length))
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
