import { Component, type ReactNode } from 'react'
import { ErrorPage } from './ErrorPage'

type Props = {
  /** What failed, as the beginning of a sentence. */
  what: string
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
    return { error: null, hasFailed: false, resetKey: props.resetKey }
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    return (
      <ErrorPage
        error={this.state.error}
        message={`${this.props.what} could not be shown.`}
        onRetry={() => this.setState({ error: null, hasFailed: false })}
      />
    )
  }
}
