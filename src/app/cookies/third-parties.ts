import { allowScripts } from '../policy'

const brought = new Set<string>()

/** Adds scripts of others to the page, each once; only after consent. */
export function bringScripts(urls: readonly string[]): void {
  const wanted = urls.filter((url) => !brought.has(url))
  allowScripts(wanted)
  for (const url of wanted) {
    brought.add(url)
    const script = document.createElement('script')
    script.async = true
    script.src = url
    document.head.append(script)
  }
}

/** Whether any was brought; what runs cannot be taken back without a reload. */
export function hasBrought(): boolean {
  return brought.size > 0
}
