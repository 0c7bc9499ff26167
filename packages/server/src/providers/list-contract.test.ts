// Tests how adapters list unpaid orders (listUnpaid), against the providers' sandboxes. The sweep (a periodic job
// that checks due payments) relies on these lists.

import { describe, expect, test } from 'vitest'
import { adapterWithSandbox, callbackReceiver } from '../../test/support/adapter-with-sandbox.ts'
import { startSandbox } from '../../test/support/sandbox.ts'
import type { Inquiry } from './provider.ts'
import { providers } from './registry.ts'

const sandboxUrl = await startSandbox()
const receiver = await callbackReceiver()
const listing = [...providers.values()].filter(provider => provider.listUnpaid)

test('only the adapters of Tripay and Xendit can list unpaid payments', () => {
  expect(listing.map(({ code }) => code).sort()).toEqual(['tripay', 'xendit'])
})

describe.each(listing)(
  'the provider $code has a list of unpaid payments, which contains no other payments',
  provider => {
    test.each(['paid', 'failed'])(
      'the provider’s list contains the unpaid orders of every payment method, and no %s order',
      async outcome => {
        const bench = await adapterWithSandbox(provider, sandboxUrl, receiver)
        const orders: { inquiry: Inquiry; isOpen: boolean }[] = []
        for (const choice of bench.methods)
          for (const isOpen of [true, true, false]) {
            const order = bench.order(choice)
            orders.push({ inquiry: bench.inquiry(order, await bench.charge(order)), isOpen })
            if (!isOpen) await bench.simulate(order.reference, outcome)
          }
        const unpaid = await provider.listUnpaid?.(
          bench.account,
          orders.map(({ inquiry }) => inquiry),
        )
        const open = orders.filter(({ isOpen }) => isOpen).map(({ inquiry }) => inquiry.reference)
        expect([...(unpaid ?? [])].sort()).toEqual(open.sort())
      },
    )
  },
)
