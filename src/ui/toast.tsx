import { type RefObject, useEffect, useRef } from 'react'
import { type Toast, toast, useToaster } from 'react-hot-toast/headless'
import { toastAnimation, toastDefaultDuration, toastDuration } from '~/lib/constants'
import { messages } from '~/lib/messages'
import { CheckIcon, CloseIcon, ErrorIcon, InfoIcon, WarningIcon } from '~/ui/Icon'
import { IconButton } from '~/ui/IconButton'
import { join } from '~/ui/join'
import { SafeText } from '~/ui/SafeText'
import { findRoom, isFree, type Room, takenBy } from '~/ui/toast-room'

type ToastKind = 'info' | 'success' | 'error' | 'warning'

export type ToastMessage = {
  kind: ToastKind
  /** Without one it says in general that it worked, or that it did not. */
  text?: string
  /** One thing to do about it; the toast closes when it is pressed. */
  action?: { label: string; run: () => void }
}

const looks = {
  info: { icon: InfoIcon, tone: 'text-info', word: 'Note' },
  success: { icon: CheckIcon, tone: 'text-success', word: 'Done' },
  error: { icon: ErrorIcon, tone: 'text-error', word: 'Error' },
  warning: { icon: WarningIcon, tone: 'text-warning', word: 'Warning' },
}

/** Shows a message at the top right and returns its id; a message already shown is not doubled. */
export function showToast(message: ToastMessage, duration = toastDuration): string {
  const urgent = message.kind === 'error' || message.kind === 'warning'
  const text = message.text ?? (urgent ? messages.somethingWrong : messages.somethingSuccessful)
  const id = `${message.kind}: ${text}`
  return toast((shown) => <ToastBody message={{ ...message, text }} shown={shown} />, {
    id,
    duration,
    removeDelay: toastAnimation,
    ariaProps: urgent
      ? { role: 'alert', 'aria-live': 'assertive' }
      : { role: 'status', 'aria-live': 'polite' },
  })
}

export function dismissToast(id: string): void {
  toast.dismiss(id)
}

/** Takes every message away at once, for instance when someone else signs in. */
export function clearToasts(): void {
  toast.remove()
}

/**
 * Stands once in the app, at the top right, where it covers nothing that can be pressed. Time
 * stands still while the pointer or the focus is on a message.
 */
export function Toaster() {
  const { toasts, handlers } = useToaster({ duration: toastDefaultDuration })
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
      const bar = document.querySelector('[data-top-bar]')?.getBoundingClientRect().bottom ?? 0
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
      <span className={join('flex h-7 items-center', tone)}>
        <Icon />
        <span className="sr-only">{word}: </span>
      </span>
      <p className="max-h-[40vh] min-w-0 flex-1 overflow-auto break-words py-1 [overflow-wrap:anywhere]">
        <SafeText text={message.text} />
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
