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
})()
