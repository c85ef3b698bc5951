import type { ReactNode } from 'react'

/** A part of the report. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="grid grid-cols-1 gap-2">
      <h3 className="font-medium print:break-after-avoid">{title}</h3>
      {children}
    </section>
  )
}
