/** Keys to press together, such as `Ctrl+Enter`. */
export function Kbd({ keys }: { keys: string }) {
  return (
    <kbd className="inline-flex gap-0.5 align-middle font-sans">
      {keys.split('+').map((key) => (
        <span
          className="min-w-5 rounded-sm border border-line bg-page px-1 text-center text-[11px] text-muted leading-[18px]"
          key={key}
        >
          {key}
        </span>
      ))}
    </kbd>
  )
}
