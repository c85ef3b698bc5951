/** A token as immudb writes them, that ends at a moment; its signature is invalid. */
export function tokenEnding(at: number, user = 'immudb'): string {
  const payload = JSON.stringify({ database: '0', exp: new Date(at).toISOString(), sub: user })
  const bytes = Buffer.concat([Buffer.from(payload), Buffer.alloc(64, 7)])
  return `v2.public.${bytes.toString('base64url')}`
}

/** The token in the headers of a browser's request, in whichever header it travels; names in lower case. */
export function tokenIn(headers: Record<string, string>): string | undefined {
  return headers['webconsole-token'] ?? headers.authorization?.replace('Bearer ', '')
}
