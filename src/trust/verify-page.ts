import type { Io } from '~/core/act'
import { clientAtom } from '~/core/session/client'
import { bytesToHex } from '~/lib/bytes'
import { apiTimeout } from '~/lib/constants'
import { hash } from '~/proof/kernel/hash'

declare const __VERIFY_PAGE__: string

/** Its name, at the server and on the disk. */
export const verifyPageName = 'verify.html'

/**
 * Fetches the page that checks evidence without a console. `error` says why there is none that could
 * be saved: what came must be the page of this console's own build.
 */
export async function fetchVerifyPage({
  get,
}: Io): Promise<{ page: Uint8Array<ArrayBuffer> } | { error: string }> {
  const request = { address: `/${verifyPageName}`, timeout: apiTimeout }
  const answer = await get(clientAtom)
    .download(request)
    .catch(() => null)
  if (answer?.status !== 200) {
    return { error: 'The server did not deliver the page. Try again, or take it from the release.' }
  }
  const page = new Uint8Array(answer.bytes)
  if (bytesToHex(hash(page)) !== __VERIFY_PAGE__) {
    return {
      error:
        'The page that the server delivers is not the one that was built with this console: its SHA-256 differs. Reload the console, or take the page from the release.',
    }
  }
  return { page }
}
