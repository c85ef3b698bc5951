/** The versions of the SDKs that the tests install, and that the snippets name. */
export const versions = { go: '1.11.1', python: '1.5.0', node: '1.1.1', java: '1.0.1' } as const
