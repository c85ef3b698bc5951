import { useState } from 'react'
import { nullWords } from '~/lib/csv'
import { counted, formatCount } from '~/lib/text'
import { visibleText } from '~/lib/visible-text'
import type { NullWord } from '~/sql/import-rows'
import { countNulls, guardCount, type Survey } from '~/sql/import-survey'
import { Button } from '~/ui/Button'
import { Checkbox } from '~/ui/Checkbox'
import { Field } from '~/ui/Field'
import { SafeText } from '~/ui/SafeText'
import { Select } from '~/ui/Select'
import { type Setup, typesOf, withNulls, withReading } from './setup'

type Props = { setup: Setup; survey: Survey; onChange: (setup: Setup) => void }

const places = [
  { value: 'everywhere', label: 'NULL' },
  { value: 'typed', label: 'NULL, but a text in VARCHAR' },
  { value: 'nowhere', label: 'Never NULL' },
] as const
type Place = (typeof places)[number]['value']

/** What is NULL, counted by rule, and what else is taken from the fields. */
export function NullFields({ setup, survey, onChange }: Props) {
  const { source } = setup
  const guards = guardCount(survey)
  return (
    <section aria-labelledby="import-nulls">
      <h3 className="pb-1 font-medium" id="import-nulls">
        NULL
      </h3>
      <ul className="space-y-1">
        {wordsIn(setup, survey).map((word) => (
          <Word key={word} onChange={onChange} setup={setup} survey={survey} word={word} />
        ))}
      </ul>
      <AnotherWord onAdd={(word) => onChange(withNulls(setup, [...source.nulls, word]))} />
      {survey.short > 0 && (
        <Checkbox
          checked={source.fillsShort}
          hint={`${counted(survey.short, 'row has', 'rows have')} fewer than ${counted(source.width, 'field')}.`}
          label="Fields that are missing at the end of a row are NULL"
          onChange={(fillsShort) => onChange(withReading(setup, { fillsShort }))}
        />
      )}
      {guards > 0 && (
        <Checkbox
          checked={source.takesGuards}
          hint="An export as CSV for spreadsheets puts it before a formula. Without it these texts are as they were."
          label={`Take the apostrophe off ${counted(guards, 'text')}`}
          onChange={(takesGuards) => onChange(withReading(setup, { takesGuards }))}
        />
      )}
    </section>
  )
}

/** An empty field, the words that stand in the file, and those that were added. */
function wordsIn({ source }: Setup, survey: Survey): string[] {
  const found = new Set(survey.fields.flatMap(({ words }) => [...words.keys()]))
  const usual: ReadonlySet<string> = new Set(['', ...nullWords, ...found])
  const added = source.nulls.map(({ word }) => word).filter((word) => !usual.has(word))
  return ['', ...found, ...added]
}

type WordProps = Props & { word: string }

function Word({ setup, survey, onChange, word }: WordProps) {
  const { nulls } = setup.source
  const where: Place = nulls.find((one) => one.word === word)?.where ?? 'nowhere'
  const counts = countNulls(survey, { word, where }, typesOf(setup))
  const choose = (chosen: string) => {
    const place = places.find(({ value }) => value === chosen)?.value ?? 'nowhere'
    const others = nulls.filter((one) => one.word !== word)
    onChange(withNulls(setup, place === 'nowhere' ? others : [...others, { word, where: place }]))
  }
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
      <span className="w-24 truncate font-medium">
        {word === '' ? 'Nothing' : <SafeText text={word} value />}
      </span>
      <Select
        label={word === '' ? 'A field with nothing in it' : `The word ${visibleText(word)}`}
        onChange={choose}
        options={places}
        size="small"
        value={where}
      />
      <span className="text-muted">{countText(counts)}</span>
    </li>
  )
}

function countText({ nulls, texts }: { nulls: number; texts: number }): string {
  if (nulls === 0 && texts === 0) return 'in no field'
  const parts = [
    nulls > 0 ? `${counted(nulls, 'field is', 'fields are')} NULL` : '',
    texts > 0 ? `${nulls > 0 ? formatCount(texts) : counted(texts, 'field')} stay as text` : '',
  ]
  return parts.filter((part) => part !== '').join(', ')
}

function AnotherWord({ onAdd }: { onAdd: (word: NullWord) => void }) {
  const [word, setWord] = useState('')
  const add = () => {
    if (word !== '') onAdd({ word, where: 'everywhere' })
    setWord('')
  }
  return (
    <form
      className="flex items-center gap-2 py-1"
      onSubmit={(event) => {
        event.preventDefault()
        add()
      }}
    >
      <div className="w-44">
        <Field
          autoCapitalize="none"
          autoComplete="off"
          bare
          label="Another word for NULL"
          mono
          onChange={setWord}
          placeholder="Another word"
          spellCheck={false}
          value={word}
        />
      </div>
      <Button
        disabledReason={word === '' ? 'Type a word first.' : undefined}
        onClick={add}
        size="small"
      >
        Add
      </Button>
    </form>
  )
}
