import { act, fireEvent, render, screen } from '@testing-library/react'
import { type ReactNode, useState } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { Boundary } from '~/ui/Boundary'
import { beforeReload, lazyWithRetry, loadOrReload, partsAtRest } from '~/ui/lazy-with-retry'

const gone = () => Promise.reject(new Error('Failed to fetch dynamically imported module'))

beforeEach(() => {
  sessionStorage.clear()
})

describe('a part of the build that cannot be loaded', () => {
  const page = { reload: vi.fn() }

  beforeEach(() => {
    page.reload = vi.fn()
  })

  test('drafts are kept first, then the page is reloaded, once (F51)', async () => {
    let isKept = false
    const forget = beforeReload(async () => {
      await Promise.resolve()
      isKept = true
    })
    page.reload.mockImplementation(() => expect(isKept).toBe(true))
    const settled = vi.fn()
    void loadOrReload(gone, page, () => 1_000_000).then(settled, settled)
    await vi.waitFor(() => expect(page.reload).toHaveBeenCalledTimes(1))
    // The page is going away: nothing is shown in the meantime.
    expect(settled).not.toHaveBeenCalled()
    forget()
  })

  test('a second failure within a minute is thrown instead (F52), a later one reloads again', async () => {
    void loadOrReload(gone, page, () => 1_000_000)
    await vi.waitFor(() => expect(page.reload).toHaveBeenCalledTimes(1))
    await expect(loadOrReload(gone, page, () => 1_059_999)).rejects.toThrow('Failed to fetch')
    expect(page.reload).toHaveBeenCalledTimes(1)
    void loadOrReload(gone, page, () => 1_060_000)
    await vi.waitFor(() => expect(page.reload).toHaveBeenCalledTimes(2))
  })

  test('of a page that is being left is asked for again if it stays, and never holds it back', async () => {
    vi.useFakeTimers()
    let giveUp = () => {}
    const load = vi
      .fn(async () => 7)
      .mockImplementationOnce(
        () =>
          new Promise((_resolve, reject) => {
            giveUp = () => reject(new Error('error loading dynamically imported module'))
          }),
      )
    const loading = loadOrReload(load, page)
    window.dispatchEvent(new Event('beforeunload'))
    giveUp()
    await vi.advanceTimersByTimeAsync(4_999)
    expect(load).toHaveBeenCalledTimes(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(await loading).toBe(7)
    expect(page.reload).not.toHaveBeenCalled()
    vi.useRealTimers()
  })

  test('work that cannot be done holds the reload back, and does not use it up', async () => {
    const takeBack = beforeReload(() => Promise.reject(new Error('no room for the draft')))
    await expect(loadOrReload(gone, page, () => 1_000_000)).rejects.toThrow('Failed to fetch')
    expect(page.reload).not.toHaveBeenCalled()
    takeBack()
    void loadOrReload(gone, page, () => 1_000_001)
    await vi.waitFor(() => expect(page.reload).toHaveBeenCalledTimes(1))
  })

  test('is no longer under way while the page gets ready for the reload', async () => {
    let getReady = () => {}
    const takeBack = beforeReload(
      () =>
        new Promise<void>((resolve) => {
          getReady = resolve
        }),
    )
    void loadOrReload(gone, page, () => 1_000_000)
    expect(await partsAtRest()).toBeGreaterThan(0)
    expect(page.reload).not.toHaveBeenCalled()
    getReady()
    await vi.waitFor(() => expect(page.reload).toHaveBeenCalledTimes(1))
    takeBack()
  })

  test('without a place to remember the reload it is thrown at once', async () => {
    vi.stubGlobal('sessionStorage', {
      getItem: () => {
        throw new DOMException('', 'SecurityError')
      },
    })
    await expect(loadOrReload(gone, page)).rejects.toThrow('Failed to fetch')
    expect(page.reload).not.toHaveBeenCalled()
  })

  test('one that loads is just returned', async () => {
    expect(await loadOrReload(async () => 7, page)).toBe(7)
  })
})

let isBroken = true

function Part() {
  if (isBroken) throw new RangeError('broken part')
  return <p>All is well</p>
}

function Guarded({ children, page = '/' }: { children: ReactNode; page?: string }) {
  return (
    <Boundary
      fallback={(error, retry) => (
        <button onClick={retry} type="button">
          Try again after {error instanceof Error ? error.name : 'nothing'}
        </button>
      )}
      resetKey={page}
    >
      {children}
    </Boundary>
  )
}

function TwoPages() {
  const [page, setPage] = useState('/a')
  const [, setCount] = useState(0)
  return (
    <>
      <button onClick={() => setPage('/b')} type="button">
        Go
      </button>
      <button onClick={() => setCount((count) => count + 1)} type="button">
        Again
      </button>
      <Guarded page={page}>
        <Part />
      </Guarded>
    </>
  )
}

function press(name: string | RegExp) {
  return act(async () => fireEvent.click(screen.getByRole('button', { name })))
}

describe('the boundary', () => {
  beforeEach(() => {
    isBroken = true
    vi.spyOn(console, 'error').mockImplementation(() => {})
  })

  test('keeps a failure to its part, which can be tried again', async () => {
    render(
      <>
        <p>Beside it</p>
        <Guarded>
          <Part />
        </Guarded>
      </>,
    )
    expect(screen.getByText('Beside it')).toBeTruthy()
    await press('Try again after RangeError')
    expect(screen.queryByText('All is well')).toBeNull()
    isBroken = false
    await press(/Try again/)
    expect(screen.getByText('All is well')).toBeTruthy()
  })

  test('another page is a new chance, drawing the same one again is not', async () => {
    render(<TwoPages />)
    isBroken = false
    await press('Again')
    expect(screen.queryByText('All is well')).toBeNull()
    await press('Go')
    expect(screen.getByText('All is well')).toBeTruthy()
  })

  test('a part that could not be fetched is fetched again when it is tried again', async () => {
    // The one reload of this minute has been used up.
    sessionStorage.setItem('webconsole.reloaded', String(Date.now()))
    const load = vi.fn(gone as () => Promise<() => ReactNode>)
    const Late = lazyWithRetry(load)
    await act(async () => {
      render(
        <Guarded>
          <Late />
        </Guarded>,
      )
    })
    expect(load).toHaveBeenCalledTimes(1)
    load.mockResolvedValue(() => <p>Here at last</p>)
    await press('Try again after Error')
    expect(screen.getByText('Here at last')).toBeTruthy()
    expect(load).toHaveBeenCalledTimes(2)
  })

  test('a part that nobody waits for is no reason to load the page again', async () => {
    const prepare = vi.fn(async () => {})
    const takeBack = beforeReload(prepare)
    const load = vi.fn(gone as () => Promise<() => ReactNode>)
    const Late = lazyWithRetry(load, { isUnasked: true })
    await act(async () => {
      render(
        <Guarded>
          <Late />
        </Guarded>,
      )
    })
    expect(screen.getByRole('button', { name: 'Try again after Error' })).toBeTruthy()
    expect(prepare).not.toHaveBeenCalled()
    takeBack()
  })

  test('a part is fetched once, however often it is shown', async () => {
    const load = vi.fn(async () => () => <p>Here</p>)
    const Late = lazyWithRetry(load)
    await act(async () => {
      render(
        <Guarded>
          <Late />
          <Late />
        </Guarded>,
      )
    })
    expect(screen.getAllByText('Here')).toHaveLength(2)
    expect(load).toHaveBeenCalledTimes(1)
  })

  test('a part is shown as soon as it is here, and what is beside it stands before', async () => {
    let resolve = (_: () => ReactNode) => {}
    const promise = new Promise<() => ReactNode>((done) => {
      resolve = done
    })
    const Late = lazyWithRetry(() => promise, { meanwhile: 'Loading' })
    await act(async () => {
      render(
        <Guarded>
          <p>Beside it</p>
          <Late />
        </Guarded>,
      )
    })
    expect(screen.getByText('Beside it')).toBeTruthy()
    expect(screen.getByText('Loading')).toBeTruthy()
    // Not within `act`, which leaves out what React waits for.
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false)
    resolve(() => <p>Here</p>)
    for (let turn = 0; turn < 20 && !screen.queryByText('Here'); turn += 1) {
      await new Promise((next) => setTimeout(next))
    }
    expect(screen.getByText('Here')).toBeTruthy()
    expect(screen.queryByText('Loading')).toBeNull()
  })

  test('a part that was prepared is shown at once, without what would stand in for it', async () => {
    const load = vi.fn(async () => () => <p>Here</p>)
    const Late = lazyWithRetry(load, { meanwhile: 'Loading' })
    await Late.prepare()
    render(
      <Guarded>
        <Late />
      </Guarded>,
    )
    // Not awaited: nothing else may have been shown before.
    expect(screen.getByText('Here')).toBeTruthy()
    expect(screen.queryByText('Loading')).toBeNull()
    expect(load).toHaveBeenCalledTimes(1)
  })

  test('a part that could not be prepared is fetched when it is shown, and loads no page', async () => {
    const reload = vi.fn(async () => {})
    const takeBack = beforeReload(reload)
    const load = vi.fn(gone as () => Promise<() => ReactNode>)
    const Late = lazyWithRetry(load)
    await Late.prepare()
    expect(reload).not.toHaveBeenCalled()
    load.mockResolvedValue(() => <p>Here after all</p>)
    await act(async () => {
      render(
        <Guarded>
          <Late />
        </Guarded>,
      )
    })
    expect(screen.getByText('Here after all')).toBeTruthy()
    expect(load).toHaveBeenCalledTimes(2)
    takeBack()
  })
})
