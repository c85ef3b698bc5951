import { type RefObject, useEffect, useRef } from 'react'
import { type Toast, toast, useToaster } from 'react-hot-toast/headless'
import { toastAnimation, toastDuration } from '~/lib/constants'
import { cx } from './cx'
import { CheckIcon, CloseIcon, ErrorIcon, InfoIcon, WarningIcon } from './Icon'
import { IconButton } from './IconButton'
import { Sentence } from './Sentence'

// Outside React: measured places.

type ToastKind = 'info' | 'success' | 'error' | 'warning'

export type ToastMessage = {
  kind: ToastKind
  text: string
  /** One thing to do about it; the toast closes when it is pressed. */
  action?: { label: string; run: () => void }
}

const looks = {
  info: { icon: InfoIcon, tone: 'text-info', word: 'Note' },
  success: { icon: CheckIcon, tone: 'text-success', word: 'Done' },
  error: { icon: ErrorIcon, tone: 'text-error', word: 'Error' },
  warning: { icon: WarningIcon, tone: 'text-warning', word: 'Warning' },
}

/** Shows a message at the top right; a message already shown is not doubled. */
export function showToast(message: ToastMessage): void {
  const urgent = message.kind === 'error' || message.kind === 'warning'
  toast((shown) => <ToastBody message={message} shown={shown} />, {
    id: `${message.kind}: ${message.text}`,
    duration: toastDuration,
    removeDelay: toastAnimation,
    ariaProps: urgent
      ? { role: 'alert', 'aria-live': 'assertive' }
      : { role: 'status', 'aria-live': 'polite' },
  })
}

/** Removes every message at once, for instance when someone else logs in. */
export function clearToasts(): void {
  toast.remove()
}

/**
 * Stands once in the app, at the top right, where it covers nothing that can be pressed. The time
 * of a message stops while the pointer or the focus is on it.
 */
export function Toaster() {
  const { toasts, handlers } = useToaster()
  const box = useRef<HTMLElement>(null)
  useRoom(box, toasts.length)
  return (
    <section
      aria-label="Notifications"
      className="pointer-events-none fixed top-[calc(var(--header-height)+8px)] right-2 z-toast flex max-w-[calc(100vw-16px)] flex-col items-end gap-2"
      ref={box}
      onBlur={handlers.endPause}
      onFocus={handlers.startPause}
      onMouseEnter={handlers.startPause}
      onMouseLeave={handlers.endPause}
    >
      {toasts.map((shown) => (
        <div
          {...shown.ariaProps}
          className="toast pointer-events-auto w-full max-w-[400px] rounded border border-line bg-raised text-text shadow-float xs:w-max xs:min-w-64"
          data-visible={shown.visible}
          key={shown.id}
        >
          {typeof shown.message === 'function' ? shown.message(shown) : shown.message}
        </div>
      ))}
    </section>
  )
}

/**
 * Puts the messages where they cover no control, and again when that changes. Where there is no
 * such place the page below the top bar makes room for them.
 */
function useRoom(box: RefObject<HTMLElement | null>, count: number) {
  useEffect(() => {
    const messages = box.current
    if (!messages || count === 0) return
    const page = document.documentElement
    let room: Room | null = null
    let isBelowBar = false
    const place = () => {
      const barEnd = document.querySelector('[data-top-bar]')?.getBoundingClientRect().bottom
      const bar = Math.max(0, barEnd ?? 0)
      const { width, height } = messages.getBoundingClientRect()
      const view = { width: window.innerWidth, height: window.innerHeight, start: bar }
      if (!isBelowBar) {
        const taken = takenBy(messages)
        if (room && isFree(room, { width, height }, view, taken)) return
        room = findRoom({ width, height }, view, taken)
        isBelowBar = room === null
      }
      messages.style.top = `${room?.top ?? bar + 8}px`
      messages.style.right = `${room?.right ?? 8}px`
      page.style.setProperty('--toast-room', isBelowBar ? `${height + 16}px` : '0px')
      page.style.setProperty('--toast-reach', isBelowBar ? `${bar + height + 16}px` : '0px')
    }
    let frame = 0
    const later = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(place)
    }
    place()
    const seen = new MutationObserver(later)
    seen.observe(document.body, { childList: true, subtree: true })
    window.addEventListener('resize', later)
    window.addEventListener('scroll', later, { capture: true, passive: true })
    return () => {
      cancelAnimationFrame(frame)
      seen.disconnect()
      window.removeEventListener('resize', later)
      window.removeEventListener('scroll', later, { capture: true })
      page.style.removeProperty('--toast-room')
      page.style.removeProperty('--toast-reach')
    }
  }, [box, count])
}

type BodyProps = { message: ToastMessage & { text: string }; shown: Toast }

function ToastBody({ message, shown }: BodyProps) {
  const { icon: Icon, tone, word } = looks[message.kind]
  const dismiss = () => toast.dismiss(shown.id)
  return (
    <div className="flex items-start gap-2.5 py-1.5 ps-3 pe-1.5">
      <span className={cx('flex h-7 items-center', tone)}>
        <Icon />
        <span className="sr-only">{word}: </span>
      </span>
      <p className="max-h-[40vh] min-w-0 flex-1 overflow-auto py-1 [overflow-wrap:anywhere]">
        <Sentence text={message.text} />
      </p>
      {message.action && (
        <button
          className="h-11 shrink-0 rounded px-2 font-medium text-primary hover:bg-hover xs:h-7"
          onClick={() => {
            message.action?.run()
            dismiss()
          }}
          type="button"
        >
          {message.action.label}
        </button>
      )}
      <IconButton icon={<CloseIcon />} label="Dismiss" onClick={dismiss} size="small" />
    </div>
  )
}

/** A rectangle in the window, in CSS pixels. */
export type Box = {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** Where messages begin: their distances from the top and the right edge of the window. */
type Room = { readonly top: number; readonly right: number }

type View = { readonly width: number; readonly height: number; readonly start: number }

/** Between messages and the edges of the window or the top bar. */
const gap = 8
const step = 8
/** Messages stay in the upper part of the window. */
const part = 0.4

/**
 * The place nearest to the top right, below `start`, where a box of this size covers nothing that
 * is taken; null when there is none.
 */
export function findRoom(
  size: { readonly width: number; readonly height: number },
  view: View,
  taken: readonly Box[],
): Room | null {
  const lowest = view.height * part
  const furthest = view.width - size.width - gap
  for (let away = 0; away <= lowest + furthest; away += step) {
    for (let down = 0; down <= away; down += step) {
      const room = { top: view.start + gap + down, right: gap + away - down }
      if (room.top + size.height > lowest || room.right > furthest) continue
      if (isFree(room, size, view, taken)) return room
    }
  }
  return null
}

/** Whether a box at a place covers nothing that is taken. */
export function isFree(
  { top, right: fromRight }: Room,
  size: { readonly width: number; readonly height: number },
  view: View,
  taken: readonly Box[],
): boolean {
  const right = view.width - fromRight
  const left = right - size.width
  const bottom = top + size.height
  return taken.every(
    (box) => box.right <= left || box.left >= right || box.bottom <= top || box.top >= bottom,
  )
}

const controls =
  'a[href], button, input, select, textarea, summary, [contenteditable=true], [role=row], [role=treeitem], [role=option], [role=tab], [role=separator], [tabindex="0"]'
const headings = 'h1, h2, h3'
const titles = `${headings}, thead, [role=columnheader]`

/** Titles, and what can be pressed or typed in at present; behind a dialog nothing can. */
function takenBy(messages: HTMLElement): Box[] {
  const dialogs = document.querySelectorAll('[aria-modal=true]')
  const root = dialogs[dialogs.length - 1] ?? document.body
  return [...root.querySelectorAll(`${controls}, ${titles}`)]
    .filter((control) => !messages.contains(control))
    .map(extentOf)
    .filter(({ width, height }) => width > 0 && height > 0)
}

/** A heading is as wide as its text: its box reaches over the free place beside it. */
function extentOf(element: Element): DOMRect {
  if (!element.matches(headings)) return element.getBoundingClientRect()
  const text = document.createRange()
  text.selectNodeContents(element)
  return text.getBoundingClientRect()
}
