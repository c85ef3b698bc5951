/** The id of the element that overlays are drawn in, inside of what a lost session covers. */
export const portalContainerId = 'overlays'

/**
 * Where dialogs, sheets and lists belong: below the part of the page that is hidden and inert while
 * somebody has to log in again, or an open dialog would lie over, and keep the keys from, the form.
 */
export function portalContainer(): HTMLElement | null {
  return document.getElementById(portalContainerId)
}
