import type { z } from 'zod'
import { type AcceptedCharge, type Charge, ProviderError } from '../provider.ts'
import { callSnap, errorOf, isSuccess } from './client.ts'
import { paymentCreated, qrCreated, vaCreated } from './messages.ts'
import type { SnapAccount } from './profile.ts'
import {
  createVaBody,
  generateQrBody,
  payBody,
  paymentAccepted,
  qrAccepted,
  vaAccepted,
} from './translate.ts'

/** Creates a virtual account, a QRIS code or a wallet payment. Throws ProviderError. */
export async function chargeBySnap(account: SnapAccount, order: Charge): Promise<AcceptedCharge> {
  const { paths, eWalletHeaders } = account.profile
  const { methodDetail: detail } = order
  switch (detail.type) {
    case 'virtual_account': {
      const body = () => createVaBody(account, order)
      const answer = await create(account, order, vaCreated, { path: paths.createVa, body })
      return vaAccepted(answer, order, detail.bank)
    }
    case 'qris': {
      const body = () => generateQrBody(account, order)
      return qrAccepted(await create(account, order, qrCreated, { path: paths.generateQr, body }), order)
    }
    case 'e_wallet': {
      const body = (token: string) => payBody(account, order, token)
      const call = { path: paths.pay, body, headers: eWalletHeaders(order) }
      return paymentAccepted(await create(account, order, paymentCreated, call), order, detail.wallet_type)
    }
    case 'over_the_counter':
      throw new ProviderError('invalid', 'SNAP has no payments over the counter')
  }
}

async function create<Schema extends z.ZodType>(
  account: SnapAccount,
  order: Charge,
  schema: Schema,
  call: { path: string; body: (token: string) => object; headers?: Record<string, string> },
): Promise<z.output<Schema>> {
  const externalIds = account.profile.externalIds(order.reference)
  const answer = await callSnap(account, { ...call, purpose: 'charge', externalIds })
  if (!isSuccess(answer)) throw errorOf(answer)
  const read = schema.safeParse(answer.json)
  // The acquirer accepted the charge but returned no payment instructions. A later status inquiry may return them.
  if (!read.success) throw new ProviderError('unknown', 'accepted without payment instructions')
  return read.data
}
