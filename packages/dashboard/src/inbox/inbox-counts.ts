import { useQuery } from '@tanstack/react-query'
import { trpc } from '../api/trpc.ts'
import { PAGE_SIZE } from '../table/endless.ts'
import { shownCount, sumOf, waitingOf } from './waiting.ts'

/** Returns the number of items that wait for the Owner, for each tab of the Inbox and in total. */
export function useInboxCounts() {
  const limit = PAGE_SIZE
  const money = waitingOf(useQuery(trpc.unexpectedMoney.list.queryOptions({ status: 'open', limit })).data)
  const challenged = waitingOf(useQuery(trpc.challengedPayments.list.queryOptions({ limit })).data)
  // Payments that wait for the Owner come first. The others are still being polled and need no decision yet.
  const unknown = waitingOf(
    useQuery(trpc.unknownPayments.list.queryOptions({ limit })).data,
    ({ waits_for_operator }) => waits_for_operator,
  )
  const unreadable = waitingOf(
    useQuery(trpc.callbacks.list.queryOptions({ status: 'unreadable', limit })).data,
  )
  const verification = useQuery(trpc.ledgerVerification.get.queryOptions({}))
  const ledger = waitingOf(verification.data && { items: verification.data.differences, next_cursor: null })
  const differences = waitingOf(
    useQuery(trpc.reconciliation.listDifferences.queryOptions({ limit, status: 'open' })).data,
  )
  return {
    money: shownCount(money),
    challenged: shownCount(challenged),
    unknown: shownCount(unknown),
    unreadable: shownCount(unreadable),
    ledger: shownCount(ledger),
    differences: shownCount(differences),
    all: shownCount(sumOf([money, challenged, unknown, unreadable, ledger, differences])),
  }
}
