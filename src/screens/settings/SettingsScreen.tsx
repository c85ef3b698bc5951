import { About } from './About'
import { Appearance, Editor, Keyboard, Times } from './Appearance'
import { BrowserStorage } from './BrowserStorage'
import { Cookies } from './Cookies'
import { Extras } from './Extras'
import { Metrics } from './Metrics'
import { Polling } from './Polling'
import { Safety } from './Safety'
import { Session } from './Session'

const sections = [
  { id: 'appearance', title: 'Appearance', Content: Appearance },
  { id: 'times', title: 'Times', Content: Times },
  { id: 'editor', title: 'SQL editor', Content: Editor },
  { id: 'keyboard', title: 'Keyboard', Content: Keyboard },
  { id: 'safety', title: 'Safety', Content: Safety },
  { id: 'session', title: 'Session', Content: Session },
  { id: 'polling', title: 'Polling', Content: Polling },
  { id: 'metrics', title: 'Metrics', Content: Metrics },
  { id: 'cookies', title: 'Cookies and privacy', Content: Cookies },
  { id: 'extras', title: 'Optional parts', Content: Extras },
  { id: 'data', title: 'Stored data', Content: BrowserStorage },
  { id: 'about', title: 'About', Content: About },
] as const

/** Everything that can be set for this browser; each change takes effect at once. */
export default function SettingsScreen() {
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
            {sections.map(({ id, title }) => (
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
          {sections.map(({ id, title, Content }) => (
            <section
              aria-labelledby={`${id}-title`}
              className="scroll-mt-5 rounded-lg border border-line bg-panel"
              id={id}
              key={id}
            >
              <h2 className="border-line border-b px-4 py-2.5 font-medium" id={`${id}-title`}>
                {title}
              </h2>
              <div className="grid grid-cols-1 gap-4 px-4 py-3.5">
                <Content />
              </div>
            </section>
          ))}
        </div>
      </div>
    </div>
  )
}
