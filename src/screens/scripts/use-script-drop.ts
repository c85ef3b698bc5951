import type { DragEvent } from 'react'
import { bringScript, isScriptFile } from '~/atoms/scripts/script-request'
import { useAct } from '~/core/act'

/** Takes a script that is dropped anywhere on a screen, before an editor makes text of it. */
export function useScriptDrop() {
  const bring = useAct(bringScript)
  return {
    onDragOverCapture: (event: DragEvent) => {
      // Otherwise the browser leaves the page to show the file.
      if (event.dataTransfer.types.includes('Files')) event.preventDefault()
    },
    onDropCapture: (event: DragEvent) => {
      const script = [...event.dataTransfer.files].find(isScriptFile)
      if (script === undefined) return
      event.preventDefault()
      event.stopPropagation()
      bring(script)
    },
  }
}
