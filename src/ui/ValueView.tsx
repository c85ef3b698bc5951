import { useMemo, useState } from 'react'
import {
  type ByteFormat,
  byteFormats,
  formatName,
  hexDump,
  reasonAgainstFormat,
  writeBytes,
} from '~/lib/byte-formats'
import { base64ToBytes, decodeUtf8, looksLikeText } from '~/lib/bytes'
import { hexPreview, partsPerStep, previewSteps } from '~/lib/constants'
import { scanJson } from '~/lib/json-scan'
import { isNumberFormat, numberFormats } from '~/lib/number-formats'
import { exactSize } from '~/lib/size'
import { textParts, totalLength } from '~/lib/text-parts'
import { visibleText } from '~/lib/visible-text'
import { Button } from '~/ui/Button'
import { CopyButton } from '~/ui/CopyButton'
import { FormatChoice } from '~/ui/FormatChoice'
import { DownloadIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { JsonTree } from '~/ui/JsonTree'
import { LongText } from '~/ui/LongText'
import { fileName, saveFile } from './file'

type Props = {
  /** Standard base64. */
  value: string
  /** Names the view and the file of a download. */
  name: string
  /** The format to begin with, if the value fits. */
  preferred?: ByteFormat | null
  onFormat?: (format: ByteFormat) => void
}

/** A value in the format that suits it or is asked for, its beginning first when it is long. */
export function ValueView({ value, name, preferred = null, onFormat }: Props) {
  const shape = useMemo(() => shapeOf(base64ToBytes(value)), [value])
  const [chosen, setChosen] = useState<ByteFormat | null>(null)
  const { bytes } = shape
  const wanted = chosen ?? preferred
  const misfit = wanted === null ? undefined : shape.reasonAgainst(wanted)
  const format = wanted && misfit === undefined ? wanted : shape.format
  return (
    <div className="grid grid-cols-1 gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <div className="w-full xs:w-auto">
          <FormatChoice
            formats={byteFormats}
            label={`Format of ${name}`}
            more={numberFormats}
            onChange={(next) => {
              setChosen(next)
              onFormat?.(next)
            }}
            preview={(one) => writeBytes(bytes, one)}
            reasonAgainst={shape.reasonAgainst}
            value={format}
          />
        </div>
        <span className="text-muted text-sm">{exactSize(bytes.length)}</span>
        <span className="ms-auto flex items-center">
          <CopyButton
            text={() => writeBytes(bytes, format) ?? ''}
            what={`${name} as ${isNumberFormat(format) ? 'a number' : format}`}
          />
          <IconButton
            icon={<DownloadIcon />}
            label={`Download ${name}`}
            onClick={() => saveFile(fileName(name, 'bin'), bytes, 'application/octet-stream')}
            size="small"
          />
        </span>
      </div>
      {preferred !== null && misfit !== undefined && (
        <p className="text-sm text-warning" role="status">
          Not shown as “{formatName(preferred)}”: {misfit}
        </p>
      )}
      {format === 'json' ? (
        <JsonTree label={name} text={shape.text ?? ''} />
      ) : (
        <Written bytes={bytes} format={format} key={format} name={name} text={shape.text} />
      )}
    </div>
  )
}

type Shape = {
  bytes: Uint8Array<ArrayBuffer>
  text: string | null
  format: ByteFormat
  reasonAgainst: (format: ByteFormat) => string | undefined
}

/** What the bytes are, and so how they are shown at first. */
function shapeOf(of: Uint8Array): Shape {
  const bytes = Uint8Array.from(of)
  const text = decodeUtf8(bytes)
  const json = text === null ? null : jsonProblem(text)
  const startsJson = text !== null && /^\s{0,100}[[{]/.test(text)
  const plain = looksLikeText(bytes) ? 'text' : 'hex'
  return {
    bytes,
    text,
    format: startsJson && json === null ? 'json' : plain,
    reasonAgainst: (format) =>
      reasonAgainstFormat(bytes, format) ?? ((format === 'json' && json) || undefined),
  }
}

function jsonProblem(text: string): string | null {
  const scan = scanJson(text)
  if (scan.kind === 'tree') return null
  if (scan.kind === 'too-large') return 'This is too large to be read as JSON here.'
  return scan.kind === 'too-deep' ? 'This is nested too deeply for a tree.' : 'This is not JSON.'
}

type WrittenProps = { bytes: Uint8Array; name: string; text: string | null; format: ByteFormat }

function Written({ bytes, text, format, name }: WrittenProps) {
  const [steps, setSteps] = useState(1)
  const isHex = format === 'hex'
  const whole = useMemo(
    () => (isHex ? '' : format === 'text' ? (text ?? '') : (writeBytes(bytes, format) ?? '')),
    [bytes, format, isHex, text],
  )
  const parts = useMemo(() => textParts(whole, partsPerStep * steps), [whole, steps])
  const length = isHex ? bytes.length : whole.length
  const shown = isHex ? hexPreview * steps : totalLength(parts)
  return (
    <>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
        tabIndex={0}
        aria-label={visibleText(name)}
        className="max-h-[46vh] min-h-16 overflow-auto rounded border border-line bg-page px-3 py-2 font-mono text-sm"
      >
        {length === 0 ? (
          <span className="text-muted">empty</span>
        ) : isHex ? (
          <pre translate="no">{hexDump(bytes.subarray(0, shown))}</pre>
        ) : (
          <div className="whitespace-pre-wrap [overflow-wrap:anywhere]">
            <LongText parts={parts} />
          </div>
        )}
      </section>
      {length > shown && (
        <p className="flex flex-wrap items-center gap-2 text-muted text-sm">
          This is the beginning.
          {steps < previewSteps ? (
            <Button onClick={() => setSteps(steps + 1)} size="small">
              Show more
            </Button>
          ) : (
            ' Copy or download the value to get all of it.'
          )}
        </p>
      )}
    </>
  )
}
