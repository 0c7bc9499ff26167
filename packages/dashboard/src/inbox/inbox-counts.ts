import { useQuery } from '@tanstack/react-query'
import { trpc } from '../api/trpc.ts'
import type { Mode } from '../shell/mode.ts'
import { PAGE_SIZE } from '../table/endless.ts'
import { shownCount, sumOf, waitingOf } from './waiting.ts'

/**
 * Returns how many items in one mode (live or test) wait for a decision by the Owner (the service's
 * operator). Each tab of the Inbox has a count, and there is a total.
 */
export function useInboxCounts(mode: Mode) {
  const page = { mode, limit: PAGE_SIZE }
  const money = waitingOf(useQuery(trpc.unexpectedMoney.list.queryOptions({ ...page, status: 'open' })).data)
  const challenged = waitingOf(useQuery(trpc.challengedPayments.list.queryOptions(page)).data)
  // The list of payments with an unknown outcome starts with those that wait for the operator's decision. For
  // the others, the service still sends status inquiries.
  const unknown = waitingOf(
    useQuery(trpc.unknownPayments.list.queryOptions(page)).data,
    ({ waits_for_operator }) => waits_for_operator,
  )
  const refunds = waitingOf(
    useQuery(trpc.refunds.listDetails.queryOptions({ ...page, waiting: 'true' })).data,
  )
  const unreadable = waitingOf(
    useQuery(trpc.callbacks.list.queryOptions({ ...page, status: 'unreadable' })).data,
  )
  const verification = useQuery(trpc.ledgerVerification.get.queryOptions({}))
  const ledger = waitingOf(verification.data && { items: verification.data.differences, next_cursor: null })
  const differences = waitingOf(
    useQuery(trpc.reconciliation.listDifferences.queryOptions({ ...page, status: 'open' })).data,
  )
  return {
    money: shownCount(money),
    challenged: shownCount(challenged),
    unknown: shownCount(unknown),
    refunds: shownCount(refunds),
    unreadable: shownCount(unreadable),
    ledger: shownCount(ledger),
    differences: shownCount(differences),
    all: shownCount(sumOf([money, challenged, unknown, refunds, unreadable, ledger, differences])),
  }
}
