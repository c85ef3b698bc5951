/** Moves the focus to the screen, before what has it goes away. */
export function focusContent(): void {
  document.getElementById('content')?.focus({ preventScroll: true })
}
