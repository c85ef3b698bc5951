import { useAtomValue } from 'jotai'
import { useRef, useState } from 'react'
import { sentence } from '~/core/session/failure-words'
import { lackingAtom } from '~/core/session/server-version'
import { UnreadableFile } from '~/core/upload-progress'
import { neededFor } from '~/immudb/column-types'
import { lookedThrough, type Setup } from './setup'

/** The look through a whole file, which can be stopped: then what was found so far counts. */
export function useLook() {
  const lacks = useAtomValue(lackingAtom)
  const hasType = (type: string) => {
    const feature = neededFor(type)
    return feature === undefined || lacks(feature) === undefined
  }
  const [bytes, setBytes] = useState<number | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const control = useRef<AbortController | null>(null)
  const forget = () => {
    const before = control.current
    control.current = null
    before?.abort()
    setBytes(null)
    setFailure(null)
  }
  const start = async (setup: Setup, onLooked: (setup: Setup) => void) => {
    forget()
    const mine = new AbortController()
    control.current = mine
    setBytes(0)
    const tell = (read: number) => control.current === mine && setBytes(read)
    try {
      const looked = await lookedThrough(setup, { signal: mine.signal, tell }, hasType)
      if (control.current === mine) onLooked(looked)
    } catch (error) {
      if (control.current !== mine) return
      setFailure(error instanceof UnreadableFile ? error.message : sentence(error))
    } finally {
      if (control.current === mine) setBytes(null)
    }
  }
  return { bytes, failure, start, stop: () => control.current?.abort(), forget }
}
