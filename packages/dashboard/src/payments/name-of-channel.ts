import { useKnownProviders } from './provider-name.ts'

/**
 * Returns a function that finds a channel's display name. For an unknown channel, it returns the code in capitals.
 */
export function useNameOfChannel(): (code: string) => string {
  const channels = useKnownProviders()?.flatMap(({ methods }) => methods.flatMap(method => method.channels))
  const names = new Map(channels?.map(({ code, name }) => [code.toLowerCase(), name]))
  return code => names.get(code.toLowerCase()) ?? code.toUpperCase()
}
