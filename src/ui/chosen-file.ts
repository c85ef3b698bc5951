const unreadable =
  'This file could not be read, and nothing was changed. It may have been moved: choose it again.'

/**
 * The text of a file that the user chose or dropped, or a sentence for him about why there is none:
 * `tooLarge` if it has more than `sizeLimit` bytes, or that the browser could not read it.
 */
export async function readChosen(
  file: Pick<File, 'size' | 'text'>,
  sizeLimit: number,
  tooLarge: string,
): Promise<{ text: string } | { problem: string }> {
  if (file.size > sizeLimit) return { problem: tooLarge }
  const text = await file.text().catch(() => null)
  if (text !== null) return { text }
  return { problem: unreadable }
}
