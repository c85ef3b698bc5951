/** Milliseconds after which the browser has surely begun to read the file. */
const readingTime = 10_000

/** Hands bytes or text to the browser as a download, exactly as they are. */
export function saveFile(name: string, content: BlobPart, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), readingTime)
}

/** A file name that every system takes, from a name that may be anything. */
export function fileName(name: string, extension: string): string {
  const plain = name.replace(/[^A-Za-z0-9_-]+/g, '-').replace(/^-+|-+$/g, '')
  return `${plain.slice(0, 60) || 'value'}.${extension}`
}

/** Why a file that was chosen has no content here. */
const unreadable =
  'This file could not be read, and nothing was changed. It may have been moved: choose it again.'

/**
 * The text of a file that the user chose or dropped, or a sentence that says why there is none:
 * `tooLarge` if it has more than `sizeLimit` bytes, or that the browser could not read it.
 */
export async function readChosen(
  file: Pick<File, 'size' | 'text'>,
  sizeLimit: number,
  tooLarge: string,
): Promise<{ text: string } | { problem: string }> {
  if (file.size > sizeLimit) return { problem: tooLarge }
  const text = await file.text().catch(() => null)
  return text === null ? { problem: unreadable } : { text }
}

/**
 * The bytes of a file that the user chose or dropped, which show what is not text, or a sentence that
 * says why there are none: `tooLarge` if it has more than `sizeLimit`.
 */
export async function readChosenBytes(
  file: Pick<File, 'size' | 'arrayBuffer'>,
  sizeLimit: number,
  tooLarge: string,
): Promise<{ bytes: Uint8Array } | { problem: string }> {
  if (file.size > sizeLimit) return { problem: tooLarge }
  const bytes = await file.arrayBuffer().catch(() => null)
  return bytes === null ? { problem: unreadable } : { bytes: new Uint8Array(bytes) }
}
