/** How many times an element was hidden here; what others hid is left alone. */
const times = new WeakMap<Element, number>()

/**
 * Stands in for the package of this name below Radix: hides all but the targets and live regions
 * from screen readers and returns what shows them again. A list of choices hides nothing: it is no
 * dialog, and the page around it, which keeps its focusable elements, does not go away with it.
 */
export function hideOthers(of: Element | readonly Element[]): () => void {
  const targets = of instanceof Element ? [of] : of
  if (targets.every((target) => target.matches('[role="listbox"]'))) return () => {}
  const kept = [...targets, ...document.querySelectorAll('[aria-live], script')]
  const hidden = othersIn(document.body, kept).filter(
    (element) => times.has(element) || !isHidden(element),
  )
  for (const element of hidden) {
    times.set(element, (times.get(element) ?? 0) + 1)
    element.setAttribute('aria-hidden', 'true')
  }
  return () => {
    for (const element of hidden) showOnce(element)
  }
}

function isHidden(element: Element): boolean {
  return element.getAttribute('aria-hidden') === 'true'
}

/** The largest parts of an element that hold none of those that are kept. */
function othersIn(parent: Element, kept: readonly Element[]): Element[] {
  return [...parent.children].flatMap((child) => {
    if (kept.includes(child)) return []
    return kept.some((one) => child.contains(one)) ? othersIn(child, kept) : [child]
  })
}

function showOnce(element: Element) {
  const left = (times.get(element) ?? 1) - 1
  if (left > 0) {
    times.set(element, left)
    return
  }
  times.delete(element)
  element.removeAttribute('aria-hidden')
}
