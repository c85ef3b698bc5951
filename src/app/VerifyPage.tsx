import { createStore, Provider } from 'jotai'
import { useEffect, useState } from 'react'
import { build } from '~/lib/build'
import { EvidencePage } from '~/screens/verify/evidence/EvidencePane'
import { givenTrustAtom, nothingGiven } from '~/trust/given-trust'
import { followTheme } from './theme'

// Outside React: the document's theme, and files that are dropped beside their place.

/** Begins without a record: nothing vouches for a file but what the reader gives. */
function emptyStore() {
  const store = createStore()
  store.set(givenTrustAtom, nothingGiven)
  return store
}

/** All of `verify.html`: it checks a file of evidence for anyone, from a disk and without a call. */
export function VerifyPage() {
  const [store] = useState(emptyStore)
  useEffect(() => followTheme('system'), [])
  useEffect(() => {
    // Otherwise the browser leaves the page to show the file.
    const stay = (event: DragEvent) => event.preventDefault()
    document.addEventListener('dragover', stay)
    document.addEventListener('drop', stay)
    return () => {
      document.removeEventListener('dragover', stay)
      document.removeEventListener('drop', stay)
    }
  }, [])
  return (
    <Provider store={store}>
      <EvidencePage>
        <p className="mb-2 max-w-[680px] print:hidden">
          Someone gave you a file that proves what an immudb database holds, what an audit read, or
          that a server showed two histories. This page checks it on your computer. It asks no
          server and sends nothing anywhere.
        </p>
        <p className="mb-4 max-w-[680px] text-muted text-sm">
          This is verify.html of webconsole {build.version}, build {build.commit}.
          <span className="print:hidden">
            {' '}
            Its SHA-256 is listed with the release: compare it with that of your file.
          </span>
        </p>
      </EvidencePage>
    </Provider>
  )
}
