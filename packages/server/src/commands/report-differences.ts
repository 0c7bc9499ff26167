import type { LedgerDifference } from '../ledger/ledger-difference.ts'
import type { Verified } from '../verification/verify-ledger.ts'
import { type ProcessIo, reporterOf } from './process-io.ts'

/**
 * Returns functions that report the result of a ledger verification. Each difference is printed as soon as it is
 * found, because the list of all differences might not fit in memory. With `json`, the whole output is one JSON
 * object.
 */
export function reportDifferences(
  io: ProcessIo,
  json: boolean,
): {
  difference(difference: LedgerDifference): void
  end(verified: Verified): void
} {
  let count = 0
  const write = (text: string) => void io.stdout.write(text)
  if (json) {
    write('{"differences":[')
    return {
      difference: each => write(`${count++ === 0 ? '' : ','}\n${JSON.stringify(each)}`),
      end: ({ balances, entries, sealedEntries, payments, ordersNotChecked, statements }) => {
        const counts = {
          balances,
          entries,
          sealed_entries: Number(sealedEntries),
          payments,
          orders_not_checked: ordersNotChecked,
          statements,
        }
        write(`\n],${JSON.stringify(counts).slice(1)}\n`)
      },
    }
  }
  return {
    difference: ({ kind, ...facts }) =>
      write(
        `${kind.replaceAll('_', ' ')}: ${Object.entries(facts)
          .map(([name, value]) => `${name} ${value ?? 'none'}`)
          .join(', ')}\n`,
      ),
    end: ({ balances, entries, sealedEntries, payments, ordersNotChecked, statements, differences }) => {
      reporterOf(io).progress(`${sealedEntries} entries are sealed; statements checked: ${statements}`)
      if (ordersNotChecked > 0)
        write(
          `orders not checked: ${ordersNotChecked}, because their payments were created by a newer release.\n`,
        )
      write(
        `${balances} balances, ${entries} entries and ${payments} payments: ${differences === 0 ? 'they agree' : `${differences} differences`}.\n`,
      )
    },
  }
}
