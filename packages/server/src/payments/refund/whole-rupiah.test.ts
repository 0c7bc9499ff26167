import { beforeEach, describe, expect, test } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { bankAccount, refundScene } from '../../../test/support/refund-scene.ts'
import type { RefundTerms } from '../../providers/refund-terms.ts'
import { newId } from '../../values/id.ts'
import { createRefund } from './create-refund.ts'
import type { CreateRefundInput } from './refund-input.ts'

const { db } = await testDatabase()
let scene: ReturnType<typeof refundScene>

const refund = (input: CreateRefundInput) =>
  createRefund(scene.app, { ...scene.key(), mode: 'live' }, newId(), input, {
    ...{ byUser: false, unprovenUpTo: null },
  })

describe.each<[string, RefundTerms | undefined]>([
  ['that the provider can refund', { amounts: 'partial' }],
  ['that the provider cannot refund', undefined],
])(
  'a refund of a payment %s includes no fraction of a rupiah, unless it returns all that is left',
  (_, terms) => {
    beforeEach(async () => {
      scene = refundScene(db)
      scene.terms = terms
      await scene.begin()
    })

    test('a refund of a fraction of a rupiah is rejected, with and without a bank account', async () => {
      await scene.receive(100_000n, 'r-1')
      for (const input of [{ amount: 150 }, { amount: 150, bank_account: bankAccount }])
        await expect(refund(input)).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'amount' })
      expect([await scene.refunds(), await scene.balance()]).toEqual([[], 100_000n])
    })

    test('if the amount that is left includes a fraction of a rupiah, it can be refunded by bank transfer', async () => {
      await scene.receive(100_050n, 'r-1')
      const part = refund({ amount: 50_050, bank_account: bankAccount })
      await expect(part).rejects.toMatchObject({ field: 'amount' })
      const { refund: whole } = await refund({ bank_account: bankAccount })
      expect(whole).toMatchObject({ method: 'manual', amount: 100_050n })
    })
  },
)
