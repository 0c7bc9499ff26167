import type { Difference } from '../ledger/difference.ts'
import type { Verified } from '../verification/verify-ledger.ts'
import { sayProgress } from './say.ts'

/** Written as they are found, since there may be any number. With json it all is one object in the end. */
export function reportDifferences(json: boolean): {
  difference(difference: Difference): void
  end(verified: Verified): void
} {
  let count = 0
  const write = (text: string) => void process.stdout.write(text)
  if (json) {
    write('{"differences":[')
    return {
      difference: each => write(`${count++ === 0 ? '' : ','}\n${JSON.stringify(each)}`),
      end: ({ balances, entries, sealedEntries, payments, statements }) => {
        const counts = { balances, entries, sealed_entries: Number(sealedEntries), payments, statements }
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
    end: ({ balances, entries, sealedEntries, payments, statements, differences }) => {
      sayProgress(`${sealedEntries} entries are sealed; statements they were held against: ${statements}`)
      write(
        `${balances} balances, ${entries} entries and ${payments} payments: ${differences === 0 ? 'they agree' : `${differences} differences`}.\n`,
      )
    },
  }
}
