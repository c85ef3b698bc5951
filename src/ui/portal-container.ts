/** The id of the element that overlays are drawn in, inside of what a lost session covers. */
export const portalContainerId = 'overlays'

/**
 * Where dialogs, sheets and lists belong: below the part of the page that is hidden and inert while
 * the user has to log in again. Elsewhere an open dialog would cover the form and take its keys.
 */
export function portalContainer(): HTMLElement | null {
  return document.getElementById(portalContainerId)
}
