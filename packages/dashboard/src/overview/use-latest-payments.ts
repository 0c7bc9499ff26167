import { useInfiniteQuery } from '@tanstack/react-query'
import { trpc } from '../api/trpc.ts'
import type { Mode } from '../shell/mode.ts'
import { nextPage, useEndless } from '../table/endless.ts'

export const LATEST = 5

/** As a list that goes on, so that it is kept up to date as lists are. */
export const useLatestPayments = (mode: Mode) =>
  useEndless(useInfiniteQuery(trpc.payments.list.infiniteQueryOptions({ mode, limit: LATEST }, nextPage)))
