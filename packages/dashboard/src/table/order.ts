import { useNavigate, useSearch } from '@tanstack/react-router'

export type ListOrder = 'newest' | 'oldest'
export type Sorting = { order: ListOrder; setOrder: (order: ListOrder) => void }

/**
 * Returns only the sort order of the URL's search parameters. A link with the returned parameters therefore
 * clears the list's filters.
 */
export const onlyOrder = ({ order }: { order?: string | undefined }) => ({ order })

/** Returns the sort order from the URL, and a function that changes it. */
export function useSorting(): Sorting {
  const search: { order?: string } = useSearch({ strict: false })
  const navigate = useNavigate()
  return {
    order: search.order === 'oldest' ? 'oldest' : 'newest',
    setOrder: order =>
      void navigate({
        to: '.',
        search: before => ({ ...before, order: order === 'newest' ? undefined : order }),
        replace: true,
      }),
  }
}
