/** Sentences of the console that appear in more than one place or that the specification fixes. */
export const messages = {
  required: 'This field is required',
  noLoginResponse: 'login received no response',
  notFound: 'This page could not be found',
  backHome: 'Back to the home page',
  unreadableAnswer: 'The answer of the server could not be understood.',
  somethingWrong: 'Something went wrong.',
  dockerTokenExpired: 'The docker token expired.',
  anotherServer:
    'Another server answers at this address now: its data folder was replaced, or another machine took its place. Type your password only if you expect that.',
  unableToCommunicate: 'webconsole is unable to communicate with the immudb server.',
  loading: 'loading',
} as const
