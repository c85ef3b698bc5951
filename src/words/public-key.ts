/** Why a text is no signing key. */
const keyRefusals: ReadonlyMap<string, string> = new Map([
  ['nothing', 'Paste the key, or drop its file.'],
  [
    'private',
    'This is a private key. Anyone who has it can sign in the name of the server, so keep it away from browsers. Use the public key here.',
  ],
  ['other-pem', 'This is not the public key of an ECDSA key on the curve P-256.'],
  ['not-a-key', 'This is neither a PEM file nor base64 of a public key.'],
  ['not-on-curve', 'This is not a point of the curve P-256, so nothing can be signed with it.'],
])

/** The sentence for a reason of `proof/public-key.ts`. */
export function keyRefusal(code: string): string {
  return keyRefusals.get(code) ?? 'This key cannot be read.'
}
