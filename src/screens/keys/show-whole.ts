/** The outcome of a write stands below a long form, where it would not be seen. */
export function showWhole(note: HTMLElement | null): void {
  if (note?.firstChild) note.scrollIntoView({ block: 'nearest' })
}
