import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'

type Page<Item> = { items: Item[]; next_cursor: string | null }

/** The largest page size that the API allows. */
export const PAGE_SIZE = 100

export const nextPage = {
  getNextPageParam: (page: { next_cursor: string | null }) => page.next_cursor ?? undefined,
}

/** Converts the result of an infinite query, which loads a list page by page, to the props of a data table. */
export function useEndless<Item>(query: UseInfiniteQueryResult<InfiniteData<Page<Item>>, unknown>) {
  const { data, error, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, refetch } = query
  const rows = useMemo(() => data?.pages.flatMap(page => page.items), [data])
  return {
    rows,
    error: data ? undefined : (error ?? undefined),
    retry: () => void refetch(),
    more: {
      hasMore: hasNextPage,
      isLoading: isFetchingNextPage,
      fault: isFetchNextPageError ? error : undefined,
      load: () => void fetchNextPage(),
    },
  }
}
