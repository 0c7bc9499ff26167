import { useKnownProviders } from './provider-name.ts'

/**
 * Returns a function that finds the display name of a channel. For an unknown channel, the function returns the code
 * in capitals.
 */
export function useNameOfChannel(): (code: string) => string {
  const channels = useKnownProviders()?.flatMap(({ methods }) => methods.flatMap(method => method.channels))
  const names = new Map(channels?.map(({ code, name }) => [code.toLowerCase(), name]))
  return code => names.get(code.toLowerCase()) ?? code.toUpperCase()
}
