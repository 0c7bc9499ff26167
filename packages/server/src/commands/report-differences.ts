import type { LedgerDifference } from '../ledger/ledger-difference.ts'
import type { Verified } from '../verification/verify-ledger.ts'
import { adviceFor } from './difference-advice.ts'
import { type ProcessIo, reporterOf } from './process-io.ts'

/**
 * Returns functions that report the result of a ledger verification. Each difference is printed immediately, because
 * the list of all differences might not fit in memory. With `json`, the whole output is one JSON object. Standard error
 * shows what to do about each kind of difference.
 */
export function reportDifferences(
  io: ProcessIo,
  json: boolean,
): {
  difference(difference: LedgerDifference): void
  end(verified: Verified): void
} {
  let count = 0
  const kinds = new Set<LedgerDifference['kind']>()
  const { progress } = reporterOf(io)
  const advise = () => {
    for (const kind of kinds) progress(`what to do about "${nameOf(kind)}": ${adviceFor[kind]}`)
  }
  const write = (text: string) => void io.stdout.write(text)
  if (json) {
    write('{"differences":[')
    return {
      difference(each) {
        kinds.add(each.kind)
        write(`${count++ === 0 ? '' : ','}\n${JSON.stringify(each)}`)
      },
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
        advise()
      },
    }
  }
  return {
    difference({ kind, ...facts }) {
      kinds.add(kind)
      write(
        `${nameOf(kind)}: ${Object.entries(facts)
          .map(([name, value]) => `${name} ${value ?? 'none'}`)
          .join(', ')}\n`,
      )
    },
    end: ({ balances, entries, sealedEntries, payments, ordersNotChecked, statements, differences }) => {
      progress(`${sealedEntries} entries are sealed; statements checked: ${statements}`)
      if (ordersNotChecked > 0)
        write(
          `orders not checked: ${ordersNotChecked}, because their payments were created by a newer release.\n`,
        )
      write(
        `${balances} balances, ${entries} entries and ${payments} payments: ${differences === 0 ? 'they agree' : `${differences} differences`}.\n`,
      )
      advise()
    },
  }
}

const nameOf = (kind: string): string => kind.replaceAll('_', ' ')
