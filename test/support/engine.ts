/** The engines that the end-to-end tests run in. */
export const engines = ['chromium', 'firefox', 'webkit'] as const

export type EngineName = (typeof engines)[number]

/** That of this run: `npm run e2e -- --browser firefox` says so to each of its processes by ENGINE. */
export const engine: EngineName = engineNamed(process.env.ENGINE || 'chromium')

export function engineNamed(name: string): EngineName {
  const found = engines.find((one) => one === name)
  if (!found) throw new Error(`There is no browser “${name}”. Name one of: ${engines.join(', ')}.`)
  return found
}

/** What people call the browsers that the tests drive. */
export const nameOf: Readonly<Record<EngineName, string>> = {
  chromium: 'Chromium',
  firefox: 'Firefox',
  webkit: 'WebKitGTK',
}

/** Names of this machine; the last is no secure context over plain http, and WebKit knows none such. */
export const hostNames = engine === 'webkit' ? ['127.0.0.1'] : ['127.0.0.1', 'console.test']
