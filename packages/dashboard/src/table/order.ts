import { useNavigate, useSearch } from '@tanstack/react-router'

export type ListOrder = 'newest' | 'oldest'
export type Sorting = { order: ListOrder; setOrder: (order: ListOrder) => void }

/**
 * Returns search parameters with only the order of the list. A link with these parameters clears the filters
 * but keeps the order.
 */
export const onlyOrder = ({ order }: { order?: string | undefined }) => ({ order })

/** Returns the order of the page's list, which the URL contains, and a function that changes the order. */
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
