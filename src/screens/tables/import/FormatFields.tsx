import { useState } from 'react'
import { textAbove } from '~/atoms/tables/import-file'
import { type Encoding, encodings } from '~/lib/encoding'
import { formatCount } from '~/lib/text'
import { cutText, visibleText } from '~/lib/visible-text'
import { Checkbox } from '~/ui/Checkbox'
import { Field } from '~/ui/Field'
import { SafeText } from '~/ui/SafeText'
import { Select } from '~/ui/Select'
import { type Setup, withSource } from './setup'

const separators = [
  { value: ',', label: 'Comma' },
  { value: ';', label: 'Semicolon' },
  { value: '\t', label: 'Tab' },
  { value: '|', label: 'Bar' },
  { value: ':', label: 'Colon' },
  { value: ' ', label: 'Space' },
]

const quotes = [
  { value: '"', label: 'Double quote' },
  { value: "'", label: 'Single quote' },
  { value: 'none', label: 'None' },
]

export const encodingNames: Readonly<Record<Encoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16, little-endian',
  'utf-16be': 'UTF-16, big-endian',
  'windows-1252': 'Windows-1252 (Western)',
  'windows-1250': 'Windows-1250 (Central European)',
  'windows-1251': 'Windows-1251 (Cyrillic)',
  'windows-1253': 'Windows-1253 (Greek)',
  'windows-1254': 'Windows-1254 (Turkish)',
  'windows-1255': 'Windows-1255 (Hebrew)',
  'windows-1256': 'Windows-1256 (Arabic)',
  'windows-1257': 'Windows-1257 (Baltic)',
  'windows-1258': 'Windows-1258 (Vietnamese)',
  'windows-874': 'Windows-874 (Thai)',
  'iso-8859-2': 'ISO 8859-2 (Central European)',
  'iso-8859-3': 'ISO 8859-3 (South European)',
  'iso-8859-4': 'ISO 8859-4 (Baltic)',
  'iso-8859-5': 'ISO 8859-5 (Cyrillic)',
  'iso-8859-6': 'ISO 8859-6 (Arabic)',
  'iso-8859-7': 'ISO 8859-7 (Greek)',
  'iso-8859-8': 'ISO 8859-8 (Hebrew)',
  'iso-8859-10': 'ISO 8859-10 (Nordic)',
  'iso-8859-13': 'ISO 8859-13 (Baltic)',
  'iso-8859-14': 'ISO 8859-14 (Celtic)',
  'iso-8859-15': 'ISO 8859-15 (Western, with €)',
  'iso-8859-16': 'ISO 8859-16 (Romanian)',
  'koi8-r': 'KOI8-R (Russian)',
  'koi8-u': 'KOI8-U (Ukrainian)',
  ibm866: 'IBM 866 (Cyrillic)',
  macintosh: 'Mac OS Roman',
  'x-mac-cyrillic': 'Mac OS Cyrillic',
  gb18030: 'GB 18030 and GBK (Chinese)',
  big5: 'Big5 (Chinese)',
  shift_jis: 'Shift JIS (Japanese)',
  'euc-jp': 'EUC-JP (Japanese)',
  'euc-kr': 'EUC-KR (Korean)',
}

type Props = { setup: Setup; onChange: (setup: Setup) => void }

/** How the file is read, as guessed from what stands in it. */
export function FormatFields({ setup, onChange }: Props) {
  const { format, encoding, hasHeader, firstLine } = setup.source
  const reformat = (changed: Partial<typeof format>) =>
    onChange(withSource(setup, { format: { ...format, ...changed } }))
  const isUsual = separators.some(({ value }) => value === format.separator)
  return (
    <section aria-labelledby="import-format">
      <h3 className="pb-1 font-medium" id="import-format">
        File
      </h3>
      <div className="grid xs:grid-cols-4 grid-cols-2 gap-3">
        <Select
          label="Separator"
          labelled
          onChange={(separator) => reformat({ separator })}
          options={
            isUsual
              ? separators
              : [...separators, { value: format.separator, label: visibleText(format.separator) }]
          }
          value={format.separator}
          wide
        />
        <Select
          label="Quote"
          labelled
          onChange={(quote) => reformat({ quote: quote === 'none' ? '' : quote })}
          options={quotes}
          value={format.quote || 'none'}
          wide
        />
        <Select
          label="Encoding"
          labelled
          onChange={(chosen) => {
            const found = encodings.find((one) => one === chosen)
            if (found) onChange(withSource(setup, { encoding: found }))
          }}
          options={encodings.map((value) => ({ value, label: encodingNames[value] }))}
          value={encoding}
          wide
        />
        <FirstLine
          key={firstLine}
          line={firstLine}
          onChange={(line) => onChange(withSource(setup, { firstLine: line }))}
        />
      </div>
      <Checkbox
        checked={hasHeader}
        label="The first row names the columns"
        onChange={(is) => onChange(withSource(setup, { hasHeader: is }))}
      />
      <Notes setup={setup} />
    </section>
  )
}

/** The line in which the table begins; a number is taken when the field is left. */
function FirstLine({ line, onChange }: { line: number; onChange: (line: number) => void }) {
  const [text, setText] = useState(String(line))
  const take = () => {
    const chosen = Math.max(1, Number(text.replace(/\D/g, '').slice(0, 7)))
    if (chosen === line) setText(String(line))
    else onChange(chosen)
  }
  return (
    <Field
      autoComplete="off"
      inputMode="numeric"
      label="First line"
      onBlur={take}
      onChange={setText}
      onKeyDown={({ key }) => key === 'Enter' && take()}
      value={text}
    />
  )
}

const shownAbove = 120

/** What is read otherwise than it may seem. */
function Notes({ setup }: { setup: Setup }) {
  const { noUtf8, source } = setup
  const above = textAbove(setup.beginning, source)
  return (
    <div className="text-sm" role="status">
      {noUtf8 !== null && (
        <p className="text-warning">
          Line {formatCount(noUtf8)} has bytes that are no UTF-8, so the file is read as{' '}
          {encodingNames[source.encoding]}. Choose another encoding if letters look wrong.
        </p>
      )}
      {source.firstLine > 1 && (
        <p className="text-muted">
          {source.firstLine === 2
            ? 'Line 1 is not read: '
            : `Lines 1–${formatCount(source.firstLine - 1)} are not read: `}
          <SafeText text={cutText(above, shownAbove)} value />
        </p>
      )}
    </div>
  )
}
