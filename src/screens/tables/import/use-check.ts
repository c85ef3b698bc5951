import { useRef, useState } from 'react'
import { checkFile, type FileCheck } from '~/atoms/tables/import-file'
import { sentence } from '~/core/session/failure-words'
import { UnreadableFile } from '~/core/upload-progress'
import type { ImportSource } from '~/sql/import-rows'
import type { ImportTarget } from '~/sql/import-statements'

/** The check of a whole file, which can be stopped; what it found holds until it is forgotten. */
export function useCheck() {
  const [found, setFound] = useState<FileCheck | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const [bytes, setBytes] = useState<number | null>(null)
  const control = useRef<AbortController | null>(null)
  const forget = () => {
    control.current?.abort()
    setFound(null)
    setFailure(null)
    setBytes(null)
  }
  const start = async (file: File, source: ImportSource, target: ImportTarget) => {
    forget()
    const mine = new AbortController()
    control.current = mine
    setBytes(0)
    try {
      const result = await checkFile(file, source, target, { signal: mine.signal, tell: setBytes })
      if (control.current === mine) setFound(result)
    } catch (error) {
      if (control.current !== mine) return
      setFailure(error instanceof UnreadableFile ? error.message : sentence(error))
    } finally {
      if (control.current === mine) setBytes(null)
    }
  }
  return { found, failure, bytes, isBusy: bytes !== null, start, stop: forget, forget }
}
