import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Root } from '~/app/App'
import { Framed } from '~/app/ErrorPage'
import { endServiceWorkers, normaliseAddress, pinIcons } from '~/app/page-start'
import { belowMount, mountPath } from '~/lib/paths'
import { loadOrReload } from '~/ui/lazy-with-retry'
import { ignoreComposing } from './app/composing'
import { startIdentities } from './app/identity'
import { isFramed, protectSinks } from './app/policy'
import { apiBasePath } from './lib/constants'

async function start(page: HTMLElement) {
  protectSinks()
  ignoreComposing(window)
  const root = createRoot(page)
  if (isFramed()) {
    root.render(<Framed />)
    return
  }
  const mount = mountPath(import.meta.url)
  const baseURL = belowMount(mount, apiBasePath)
  const list = document.querySelector<HTMLMetaElement>('meta[name="webconsole-servers"]')
  pinIcons()
  normaliseAddress(mount)
  void endServiceWorkers()
  const joining =
    list &&
    (await loadOrReload(() => import('./app/servers/OtherServers'))).joiningServers(
      baseURL,
      list.content,
    )
  const identities = startIdentities(baseURL, undefined, joining ?? undefined)
  root.render(
    <StrictMode>
      <Root identities={identities} mount={mount} />
    </StrictMode>,
  )
}

const page = document.getElementById('root')
// By the newest of what every call needs, which `static/theme.js` looks for; the page then says so.
const isTooOld = 'tooOld' in document.documentElement.dataset
if (page && !isTooOld) void start(page)
