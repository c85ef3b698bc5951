import { encodings } from '~/lib/encoding'
import { Checkbox } from '~/ui/Checkbox'
import { Field } from '~/ui/Field'
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

const encodingNames = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16, little-endian',
  'utf-16be': 'UTF-16, big-endian',
  'windows-1252': 'Windows-1252 (Western)',
} as const

type Props = { setup: Setup; onChange: (setup: Setup) => void }

/** How the file is read, as guessed from its beginning. */
export function FormatFields({ setup, onChange }: Props) {
  const { format, encoding, hasHeader } = setup.source
  const reformat = (changed: Partial<typeof format>) =>
    onChange(withSource(setup, { format: { ...format, ...changed } }))
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
          options={separators}
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
        <Field
          autoComplete="off"
          hint={format.nullText === '' ? 'Empty: a field with nothing in it' : undefined}
          label="NULL is written as"
          mono
          onChange={(nullText) => reformat({ nullText })}
          spellCheck={false}
          value={format.nullText}
        />
      </div>
      <Checkbox
        checked={hasHeader}
        label="The first row names the columns"
        onChange={(is) => onChange(withSource(setup, { hasHeader: is }))}
      />
    </section>
  )
}
