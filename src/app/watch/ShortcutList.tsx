import { places, shortcutsOf, shownKeys, titleOf } from '~/lib/shortcuts'
import { Dialog } from '~/ui/Dialog'
import { Kbd } from '~/ui/Kbd'

/** All keyboard shortcuts, by the part of the console that listens to them. */
export function ShortcutList({ onClose }: { onClose: () => void }) {
  return (
    <Dialog
      description="On a Mac, use Command instead of Ctrl. Escape closes a dialog or a menu."
      onClose={onClose}
      open
      title="Keyboard shortcuts"
      width="wide"
    >
      <section
        aria-label="All shortcuts"
        className="-mx-2 gap-x-8 rounded px-2 pt-1 -outline-offset-2 sm:columns-2"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
        tabIndex={0}
      >
        {places.map((place) => (
          <section
            aria-labelledby={`shortcuts-${place}`}
            className="mb-4 break-inside-avoid"
            key={place}
          >
            <h3 className="pb-1 font-medium" id={`shortcuts-${place}`}>
              {titleOf(place)}
            </h3>
            <dl className="divide-y divide-line/55 text-sm">
              {shortcutsOf(place).map(({ keys, does }) => (
                <div className="flex items-baseline justify-between gap-4 py-1" key={keys}>
                  <dt className="min-w-0 text-muted">{does}</dt>
                  <dd className="flex max-w-[55%] flex-wrap justify-end gap-x-2 gap-y-0.5">
                    {keys.split(', ').map((one) => (
                      <Kbd key={one} keys={shownKeys(one)} />
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </section>
    </Dialog>
  )
}
