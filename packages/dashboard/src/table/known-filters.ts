type Search = Readonly<Record<string, string | undefined>>

/**
 * Returns only the filters whose values the list supports. A URL may be truncated, mistyped or outdated, and the server
 * would reject an unsupported value.
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
