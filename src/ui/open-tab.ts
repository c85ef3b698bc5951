// Apart from what knows addresses, which is there before the login.

/** Opens an address of the console in another tab, as a link to it would. */
export function openTab(href: string): void {
  const link = document.createElement('a')
  link.href = href
  link.target = '_blank'
  link.rel = 'noopener'
  link.click()
}
