import { type ComponentType, useEffect } from 'react'
import { reveal, useAnchor } from '~/ui/anchor'
import { About } from './About'
import { Appearance, Editor, Keyboard, Times } from './Appearance'
import { BrowserStorage } from './BrowserStorage'
import { Cookies } from './Cookies'
import { Extras } from './Extras'
import { Metrics } from './Metrics'
import { Polling } from './Polling'
import { Safety } from './Safety'
import { Session } from './Session'
import { type SettingsSection, settingsSections } from './sections'

// Outside React: the place in the document that the address names.

const contents: Record<SettingsSection['id'], ComponentType> = {
  appearance: Appearance,
  times: Times,
  editor: Editor,
  keyboard: Keyboard,
  safety: Safety,
  session: Session,
  polling: Polling,
  metrics: Metrics,
  cookies: Cookies,
  extras: Extras,
  data: BrowserStorage,
  about: About,
}

/** Everything that can be set for this browser; each change takes effect at once. */
export default function SettingsScreen() {
  const anchor = useAnchor()
  useEffect(() => {
    if (settingsSections.some(({ id }) => id === anchor)) reveal(anchor)
  }, [anchor])
  return (
    <div className="max-w-[1040px] p-4 xs:p-6">
      <h1 className="font-medium text-xl">Settings</h1>
      <p className="mb-4 text-muted">Kept in this browser.</p>
      <div className="flex gap-8">
        <nav
          aria-label="Settings"
          className="sticky top-6 -ms-2 hidden w-44 shrink-0 self-start sm:block"
        >
          <ul className="grid gap-0.5">
            {settingsSections.map(({ id, title }) => (
              <li key={id}>
                <a
                  className="flex h-8 items-center rounded px-2 text-muted no-underline hover:bg-hover hover:text-text"
                  href={`#${id}`}
                >
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <div className="grid min-w-0 max-w-[760px] flex-1 grid-cols-1 gap-5">
          {settingsSections.map(({ id, title }) => (
            <section
              aria-labelledby={`${id}-title`}
              className="scroll-mt-5 rounded-lg border outline-none border-line bg-panel"
              id={id}
              key={id}
              tabIndex={-1}
            >
              <h2 className="border-line border-b px-4 py-2.5 font-medium" id={`${id}-title`}>
                {title}
              </h2>
              <div className="grid grid-cols-1 gap-4 px-4 py-3.5">
                <Content id={id} />
              </div>
            </section>
          ))}
        </div>
      </div>
    </div>
  )
}

function Content({ id }: Pick<SettingsSection, 'id'>) {
  const Part = contents[id]
  return <Part />
}
