/** For a `ref`: brings into sight what appears below a long form. One function, so that it is called once. */
export function showWhole(note: HTMLElement | null): void {
  note?.scrollIntoView?.({ block: 'nearest' })
}
