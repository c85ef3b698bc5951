import { activityPeriod } from '~/lib/constants'
import { joinChannel } from '~/lib/tab-channel'

const name = 'webconsole.activity'

/** Messages between tabs of this origin besides logouts; none is secret. */
export type TabNews =
  /** The user is active. */
  | { kind: 'used' }
  /** A tab was opened with this build. */
  | { kind: 'opened'; build: string }

export type Tabs = {
  /** Tells the other tabs, at most once every `activityPeriod`, that this one is in use. */
  used(): void
  opened(build: string): void
  close(): void
}

/** Joins the tabs of this origin; alone where the browser has no channels between them. */
export function joinTabs(hear: (news: TabNews) => void): Tabs {
  const channel = joinChannel(name, (heard) => {
    if (isTabNews(heard)) hear(heard)
  })
  const tell = (news: TabNews) => channel.tell(news)
  let told = Number.NEGATIVE_INFINITY
  return {
    used: () => {
      const now = performance.now()
      if (now - told < activityPeriod) return
      told = now
      tell({ kind: 'used' })
    },
    opened: (build) => tell({ kind: 'opened', build }),
    close: channel.close,
  }
}

function isTabNews(value: unknown): value is TabNews {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false
  if (value.kind === 'used') return true
  return value.kind === 'opened' && 'build' in value && typeof value.build === 'string'
}
