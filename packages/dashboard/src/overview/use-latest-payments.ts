import { useInfiniteQuery } from '@tanstack/react-query'
import { trpc } from '../api/trpc.ts'
import type { Mode } from '../shell/mode.ts'
import { nextPage, useEndless } from '../table/endless.ts'

export const LATEST = 5

/**
 * Returns the latest payments. The hook uses an infinite query (a query that loads page by page), because live updates
 * reach only infinite queries.
 */
export const useLatestPayments = (mode: Mode) =>
  useEndless(useInfiniteQuery(trpc.payments.list.infiniteQueryOptions({ mode, limit: LATEST }, nextPage)))
