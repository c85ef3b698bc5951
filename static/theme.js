// Runs before the first paint, so it is a separate blocking file and never throws.
;(() => {
  let stored = null
  try {
    stored = localStorage.getItem('webconsole-theme')
  } catch {}
  let theme = stored === 'light' ? 'light' : 'dark'
  try {
    if (stored === 'system' && matchMedia('(prefers-color-scheme: light)').matches) theme = 'light'
  } catch {}
  const root = document.documentElement
  root.dataset.theme = theme
  root.style.colorScheme = theme
  if (!self.AbortSignal?.any) root.dataset.tooOld = ''

  // The style sheet or the first script is missing: this page may be an old copy. It is loaded
  // again, at most once a minute. If that does not help, its text stays.
  const key = 'webconsole.reloaded'
  const mayReload = () => {
    try {
      if (Date.now() - Number(sessionStorage.getItem(key) ?? 0) < 60_000) return false
      sessionStorage.setItem(key, String(Date.now()))
      return true
    } catch {
      return false
    }
  }
  const say = () => {
    const note = document.createElement('p')
    note.setAttribute('role', 'alert')
    Object.assign(note.style, { position: 'sticky', top: 0, background: 'Canvas' })
    const again = document.createElement('button')
    again.type = 'button'
    again.textContent = 'Load it again'
    again.addEventListener('click', () => location.reload())
    note.append('The style sheet of the console did not arrive. ', again)
    document.body.prepend(note)
  }
  addEventListener(
    'error',
    ({ target }) => {
      const isStyle = target instanceof HTMLLinkElement && target.rel === 'stylesheet'
      const isStart = target instanceof HTMLScriptElement && target.type === 'module'
      if (!isStyle && !isStart) return
      root.dataset.incomplete = ''
      if (mayReload()) location.reload()
      else if (isStyle && document.body) say()
      else if (isStyle) addEventListener('DOMContentLoaded', say)
    },
    true,
  )
})()
