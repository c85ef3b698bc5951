/**
 * Characters that are invisible or turn the direction of text around them: controls, soft hyphen,
 * zero-width and bidirectional marks, invisible operators, fillers, variation selectors
 * (except the one that belongs to an emoji) and tags. Not tab, line feed and carriage return.
 */
export const specialCharacters =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is for
  /[\ufe00-\ufe0e\u{e0100}-\u{e01ef}\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2064\u2066-\u2069\u2800\u3164\ufeff\u{e0000}-\u{e007f}]|(?<!\p{Extended_Pictographic})\ufe0f/gu

/** `U+202E`, as shown in place of such a character. */
export function codePointName(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}
