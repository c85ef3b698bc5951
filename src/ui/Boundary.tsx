import { Component, type ReactNode } from 'react'
import { forgetFailedParts } from './lazy-with-retry'

type Props = {
  /** Shown instead of the children when they fail; `retry` shows the children again. */
  fallback: (error: unknown, retry: () => void) => ReactNode
  children: ReactNode
  /** A change of this value is a new chance, for instance another page. */
  resetKey?: string
}
type State = { error: unknown; hasFailed: boolean; resetKey: string | undefined }

/** Keeps a failure of one part from taking the rest of the page down. */
export class Boundary extends Component<Props, State> {
  override state: State = { error: null, hasFailed: false, resetKey: this.props.resetKey }

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error, hasFailed: true }
  }

  static getDerivedStateFromProps(props: Props, state: State): Partial<State> | null {
    if (props.resetKey === state.resetKey) return null
    if (state.hasFailed) forgetFailedParts()
    return { error: null, hasFailed: false, resetKey: props.resetKey }
  }

  retry = () => {
    forgetFailedParts()
    this.setState({ error: null, hasFailed: false })
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    return this.props.fallback(this.state.error, this.retry)
  }
}
