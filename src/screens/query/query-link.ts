// Outside React: the address of the page.

/**
 * The address of Query on this server, for others.
 * @param kept what it takes over from the address of the page
 */
export function queryLink(
  search: Readonly<Record<string, string>>,
  kept: readonly string[] = ['server'],
): string {
  const address = new URL(window.location.href)
  const taken = [...address.searchParams].filter(([name]) => kept.includes(name))
  address.search = new URLSearchParams([...taken, ...Object.entries(search)]).toString()
  address.hash = ''
  return address.href
}
