import { useAtomValue } from 'jotai'
import { consentAtom } from '~/atoms/settings/consent'
import { manifestAtom, starsAtom } from '~/atoms/settings/page-files'
import { sentence, technicalDetails } from '~/core/session/failure-words'
import { knownAsAtom, reportedVersionAtom, serverVersionAtom } from '~/core/session/server-version'
import { build, options } from '~/lib/build'
import { mountPath } from '~/lib/paths'
import { formatSize } from '~/lib/size'
import { counted, formatCount } from '~/lib/text'
import { visibleText } from '~/lib/visible-text'
import { ErrorNote } from '~/ui/ErrorNote'
import { FactLine } from '~/ui/Facts'
import { Hash } from '~/ui/Hash'
import { lazyWithRetry } from '~/ui/lazy-with-retry'
import { Skeleton } from '~/ui/Skeleton'
import { Table } from '~/ui/Table'
import { versionWords } from '~/words/server-version'

// The texts in all languages, which the bar shows too.
const FunctionalNote = lazyWithRetry(() =>
  import('./CookieBar').then((part) => part.FunctionalNote),
)

const source = 'https://github.com/codenotary/immudb'

export function About() {
  const version = useAtomValue(reportedVersionAtom)
  const server = version.length > 1 ? version : 'does not say its version'
  const known = useAtomValue(knownAsAtom)
  const parsed = useAtomValue(serverVersionAtom)
  return (
    <>
      <dl className="grid grid-cols-1 gap-2">
        <FactLine name="Console">
          webconsole {build.version}, build{' '}
          <code translate="no" className="font-mono">
            {build.commit}
          </code>
        </FactLine>
        <FactLine name="Server">
          immudb {visibleText(server)}
          <span className="block text-muted text-sm empty:hidden">
            {[known.kind === 'tested' ? '' : known.text, versionWords(parsed)]
              .filter(Boolean)
              .join(' ')}
          </span>
        </FactLine>
        <FactLine name="Licence">
          Apache-2.0,{' '}
          <a
            className="text-primary underline"
            href={`${mountPath(import.meta.url)}/assets/licences.txt`}
          >
            all licences
          </a>
        </FactLine>
        <FactLine name="Source">
          <a
            className="text-primary underline"
            href={source}
            rel="noopener noreferrer"
            target="_blank"
          >
            codenotary/immudb
          </a>
          {options.starsUrl !== '' && <Stars />}
        </FactLine>
        <FactLine name="Feedback">
          {/* The address of this page stays here: it may name the server. */}
          <a
            className="text-primary underline"
            href={options.feedbackUrl}
            rel="noopener noreferrer"
            target="_blank"
          >
            Report a problem or an idea
          </a>{' '}
          <span className="text-muted">({new URL(options.feedbackUrl).host})</span>
        </FactLine>
      </dl>
      <Bundle />
    </>
  )
}

/** Files of the build that the server hands out, with the hashes a release is published with. */
function Bundle() {
  const { data, error, isFetching, refetch } = useAtomValue(manifestAtom)
  if (error && !data) {
    return (
      <ErrorNote
        busy={isFetching}
        details={technicalDetails(error)}
        onRetry={() => void refetch()}
        title={`The list of files could not be read. ${sentence(error)}`}
      />
    )
  }
  if (!data) return <Skeleton label="Reading the list of files" />
  const total = data.files.reduce((sum, { size }) => sum + size, 0)
  const isOther = data.version !== build.version || data.commit !== build.commit
  return (
    <div>
      {isOther && (
        <p className="mb-2 text-warning">
          The server hands out webconsole {visibleText(data.version)}, build{' '}
          {visibleText(data.commit)}: reload to use it.
        </p>
      )}
      <details>
        <summary className="w-max max-w-full rounded-sm py-3 xs:py-1">
          {formatCount(data.files.length)} files, {formatSize(total)}, with their SHA-256
        </summary>
        <p className="my-2 text-muted text-sm">
          As the server reports them. A page cannot prove itself: compare them with the list of the
          release, from another computer.
        </p>
        <div className="max-h-96 overflow-auto rounded border border-line">
          <Table
            caption="Files of the page"
            headLook="sticky top-0 bg-raised"
            isBoxed
            titles={['File', { title: 'Size', look: 'text-end' }, 'SHA-256']}
          >
            {data.files.map(({ path, size, sha256 }) => (
              <tr key={path}>
                <td className="break-all font-mono text-xs">{visibleText(path)}</td>
                <td className="whitespace-nowrap text-end tabular-nums">{formatSize(size)}</td>
                <td className="whitespace-nowrap">
                  <Hash hash={sha256} what={`hash of ${path}`} />
                </td>
              </tr>
            ))}
          </Table>
        </div>
      </details>
    </div>
  )
}

/** Content of another site: it is asked only after consent to functional cookies. */
export function Stars() {
  const isAllowed = useAtomValue(consentAtom)?.has('functional') ?? false
  if (isAllowed) return <StarCount />
  return <FunctionalNote />
}

function StarCount() {
  const { data } = useAtomValue(starsAtom)
  if (data === undefined) return null
  return <span className="text-muted"> · {counted(data, 'star')}</span>
}
