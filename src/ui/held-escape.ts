/** Whether Escape belongs to a part inside of a dialog, which does not close then. */
export function isHeld(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[data-escape]') !== null
}
