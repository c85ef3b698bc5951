/**
 * Addresses of other origins that the output may contain. None of them is a request, and the page's
 * policy blocks requests to them anyway.
 */
export const allowedUrls: readonly { readonly start: string; readonly because: string }[] = [
  { start: 'http://www.w3.org/', because: 'XML namespaces of React and CodeMirror' },
  { start: 'https://react.dev/', because: 'text of React error messages' },
  { start: 'https://tailwindcss.com', because: 'licence comment in the style sheet' },
  { start: 'https://mozilla.github.io/localForage/', because: 'text of a localforage error' },
  { start: 'https://github.com/pmndrs/jotai/', because: 'text of a Jotai error' },
  {
    start: 'https://github.com/codenotary/immudb',
    because: 'a link to the source of immudb, followed only when pressed',
  },
  { start: 'http://*:9497', because: 'metrics port in the policy of the page' },
  { start: 'https://*:9497', because: 'metrics port in the policy of the page' },
]
