import { hideOthers as hide } from '#aria-hidden'

/**
 * Stands before the package of this name below Radix, which hides all but the targets from screen
 * readers. A list of choices hides nothing: it is no dialog, and the page around it, which keeps
 * its focusable elements, does not go away with it. The build gives this to every module that
 * imports the package; package.json has another name for the package itself.
 */
export function hideOthers(of: Element | Element[]): () => void {
  const targets = of instanceof Element ? [of] : of
  if (targets.every((target) => target.matches('[role="listbox"]'))) return () => {}
  return hide(targets)
}
