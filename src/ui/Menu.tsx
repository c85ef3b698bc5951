import { cloneElement, lazy, Suspense, useState } from 'react'
import { loadOrReload } from '~/ui/load-chunk'
import type { MenuProps } from '~/ui/menu/menu'

export type { MenuProps } from '~/ui/menu/menu'

const load = () => import('~/ui/menu/OpenMenu')
const OpenMenu = lazy(() => loadOrReload(load).then((module) => ({ default: module.OpenMenu })))

/**
 * A button's menu of actions and choices. It is fetched when it is first opened; until then the
 * button stands alone. Enter, Space and the down arrow open it too.
 */
export function Menu(props: MenuProps) {
  const [isOpened, setOpened] = useState(false)
  const prefetch = () => void load().catch(() => {})
  const plain = cloneElement(props.trigger, {
    'aria-expanded': false,
    'aria-haspopup': 'menu',
    onClick: () => setOpened(true),
    onFocus: prefetch,
    onKeyDown: (event) => {
      if (event.key === 'ArrowDown') setOpened(true)
    },
    onPointerEnter: prefetch,
  })
  if (!isOpened) return plain
  return (
    <Suspense fallback={plain}>
      <OpenMenu {...props} />
    </Suspense>
  )
}
