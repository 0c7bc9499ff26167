type Search = Readonly<Record<string, string | undefined>>

/**
 * Returns the filters in a URL. Leaves out unsupported values, because the server would reject them. Also leaves
 * out the mode (test or live) and the sort order, which are not filters.
 */
export const knownFilters = <Filters extends Search>(
  filters: Filters,
  known: { readonly [Name in keyof Filters]?: readonly string[] | ((value: string) => boolean) },
): Omit<Filters, 'mode' | 'order'> =>
  Object.fromEntries(
    Object.entries(filters).filter(([name, value]) => {
      if (name === 'mode' || name === 'order') return false
      const values = known[name]
      if (!values || value === undefined) return true
      return typeof values === 'function' ? values(value) : values.includes(value)
    }),
  ) as Omit<Filters, 'mode' | 'order'>
