type Search = Readonly<Record<string, string | undefined>>

/**
 * What of the filters in an address the list has values for. An address may be cut off, typed or of another time: what is
 * left over filters nothing, where the server would refuse it.
 */
export const knownFilters = <Filters extends Search>(
  filters: Filters,
  known: { readonly [Name in keyof Filters]?: readonly string[] | ((value: string) => boolean) },
): Filters =>
  Object.fromEntries(
    Object.entries(filters).filter(([name, value]) => {
      const values = known[name]
      if (!values || value === undefined) return true
      return typeof values === 'function' ? values(value) : values.includes(value)
    }),
  ) as Filters
