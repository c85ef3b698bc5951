/** Finds the element that says a whole sentence, whatever links are in it. */
export function sentence(wanted: string | RegExp) {
  const says = ({ textContent }: Element) =>
    typeof wanted === 'string' ? textContent === wanted : wanted.test(textContent ?? '')
  return (_text: string, element: Element | null): boolean =>
    element !== null && says(element) && ![...element.children].some(says)
}
