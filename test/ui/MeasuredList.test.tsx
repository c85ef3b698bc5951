import { act, render, screen } from '@testing-library/react'
import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { MeasuredList } from '~/ui/MeasuredList'
import { stubLayout } from '../support/layout'

let frames: FrameRequestCallback[]
let drawn: number[]

beforeAll(MeasuredList.prepare)
beforeEach(() => {
  stubLayout({ width: 1_200, height: 600 })
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockImplementation(height)
  frames = []
  drawn = []
  vi.stubGlobal('requestAnimationFrame', (frame: FrameRequestCallback) => frames.push(frame))
})

/** A line is lower than was estimated, so more of them fit. */
function height(this: HTMLElement): number {
  return this.tagName === 'LI' ? 40 : 600
}

const line = (index: number) => {
  drawn.push(index)
  return `line ${index}`
}

const list = (head: string) => (
  <MeasuredList
    count={1_000}
    estimate={() => 100}
    head={head}
    label="Things"
    line={line}
    lineKey={String}
    wanted={-1}
  />
)

/** Lets the browser draw one frame. */
const nextFrame = () => act(async () => frames.splice(0).map((frame) => frame(0)))

test('the first screen is drawn a few lines a frame, and no line twice', async () => {
  const { rerender } = render(list('Before'))
  expect(screen.getAllByRole('listitem')).toHaveLength(4)
  await nextFrame()
  expect(screen.getAllByRole('listitem')).toHaveLength(8)
  while (frames.length > 0) await nextFrame()
  const lines = screen.getAllByRole('listitem')
  // What 600 pixels show, and four below it.
  expect(lines.map((item) => item.textContent)).toEqual(drawn.map((index) => `line ${index}`))
  expect(lines).toHaveLength(19)
  rerender(list('After'))
  screen.getByText('After')
  expect(new Set(drawn).size).toBe(drawn.length)
})
