import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Root } from '~/app/App'
import { Framed } from '~/app/ErrorPage'
import { belowMount, mountPath } from '~/lib/paths'
import { startIdentities } from './app/identity'
import { isFramed, protectSinks } from './app/policy'
import { endServiceWorkers, normaliseAddress } from './app/start'
import { apiBasePath } from './lib/constants'

function start(page: HTMLElement) {
  protectSinks()
  const root = createRoot(page)
  if (isFramed()) {
    root.render(<Framed />)
    return
  }
  const mount = mountPath(import.meta.url)
  normaliseAddress(mount)
  void endServiceWorkers()
  const identities = startIdentities(belowMount(mount, apiBasePath))
  root.render(
    <StrictMode>
      <Root identities={identities} mount={mount} />
    </StrictMode>,
  )
}

const page = document.getElementById('root')
if (page) start(page)
