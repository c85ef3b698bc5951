// Part of `npm run dev` only: reloads the page, or just its style sheet, after a change.
const events = new EventSource(new URL('reload', document.currentScript.src))

events.addEventListener('reload', () => location.reload())

events.addEventListener('styles', (event) => {
  const link = document.querySelector('link[rel=stylesheet]')
  link.href = new URL(event.data, link.href).href
})
