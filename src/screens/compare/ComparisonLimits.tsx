import { GuideLink } from '~/ui/GuideLink'

/** What a comparison of tables cannot show. */
export function Limits() {
  return (
    <details className="px-4 py-2 text-muted text-sm">
      <summary className="w-max cursor-pointer rounded-sm py-2 hover:text-text xs:py-1">
        What this cannot show
      </summary>
      <ul className="list-disc space-y-1 ps-5">
        <li>
          The net change does not show rows that were added and deleted in between, or changed and
          changed back. “Every step” does. Within one transaction immudb keeps only the last change
          of a row.
        </li>
        <li>
          Columns have today’s names. Columns added in between are NULL before. Columns dropped
          since are missing, and so are changes that only they had.
        </li>
        <li>Rows of dropped tables, and of tables that were dropped and created again.</li>
        <li>Values that were truncated. The server then refuses to compare the table.</li>
        <li>A row whose JSON is null: immudb refuses to compare its table.</li>
        <li>
          The server compares the rows. Nothing here is verified until you verify a revision of a
          row. <GuideLink to="time-compare">More on comparing</GuideLink>
        </li>
      </ul>
    </details>
  )
}
