import { useQuery } from '@tanstack/react-query'
import { trpc } from '../api/trpc.ts'
import { PAGE_SIZE } from '../table/endless.ts'

type Page = { items: readonly unknown[]; next_cursor: string | null }

/** How many wait, counted as far as a page goes; nothing where none does. */
const countOf = (page: Page | undefined): string | undefined => {
  if (!page || page.items.length === 0) return undefined
  return page.next_cursor === null ? String(page.items.length) : `${page.items.length}+`
}

export function useInboxCounts() {
  const limit = PAGE_SIZE
  const { data: money } = useQuery(trpc.unexpectedMoney.list.queryOptions({ status: 'open', limit }))
  const { data: challenged } = useQuery(trpc.challengedPayments.list.queryOptions({ limit }))
  const { data: unknown } = useQuery(trpc.unknownPayments.list.queryOptions({ limit }))
  return { money: countOf(money), challenged: countOf(challenged), unknown: countOf(unknown) }
}
