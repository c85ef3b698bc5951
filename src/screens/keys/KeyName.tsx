import { base64ToBytes, bytesToHex, decodeUtf8 } from '~/lib/bytes'
import { visibleText } from '~/lib/visible-text'
import { SafeName } from '~/ui/SafeText'

/** A key as its text, or as hex when its bytes are not text. */
export function KeyName({ of }: { of: string }) {
  const bytes = base64ToBytes(of)
  const text = decodeUtf8(bytes)
  if (text !== null) return <SafeName text={text} />
  return (
    <>
      <span className="text-muted">hex </span>
      <bdi translate="no">{bytesToHex(bytes)}</bdi>
    </>
  )
}

/** A key as plain text, for names that are only spoken or typed. */
export function keyLabel(key: string): string {
  const bytes = base64ToBytes(key)
  const text = decodeUtf8(bytes)
  return text === null ? `hex ${bytesToHex(bytes)}` : visibleText(text, 'name')
}

/** What the clipboard gets: the exact text, or the hex digits when there is none. */
export function copiedKey(key: string): string {
  const bytes = base64ToBytes(key)
  return decodeUtf8(bytes) ?? bytesToHex(bytes)
}
