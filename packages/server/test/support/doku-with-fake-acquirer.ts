// Runs DOKU's adapter against a fake acquirer (a payment provider's server), with a new acquirer and account for each
// test.

import { afterEach, beforeEach } from 'vitest'
import type { MethodDetail } from '../../src/payments/method.ts'
import { contractData } from '../../src/providers/doku/contract-data.ts'
import type { Credentials } from '../../src/providers/doku/credentials.ts'
import type { Charge, Inquiry, ProviderAccount } from '../../src/providers/provider.ts'
import {
  type Answer,
  accountAt,
  type FakeAcquirer,
  fakeAcquirer,
  type Sent,
  inquiry as snapInquiry,
  order as snapOrder,
} from './fake-acquirer.ts'

type DokuWithFakeAcquirer = { acquirer: FakeAcquirer; account: ProviderAccount<Credentials> }

/**
 * Returns an object with an acquirer and a provider account for a file's tests. Both are created anew before
 * each test.
 */
export function dokuWithFakeAcquirer(): DokuWithFakeAcquirer {
  const bench = {} as DokuWithFakeAcquirer
  beforeEach(async () => {
    const acquirer = await fakeAcquirer()
    const { id, mode, credentials } = accountAt(acquirer.url)
    const { private_key, provider_public_key } = credentials
    const account = {
      id,
      mode,
      baseUrl: `${acquirer.url}/doku`,
      credentials: {
        ...contractData.credentials(),
        partner_service_id: '77777',
        partner_service_id_bni: '77777',
        private_key,
        provider_public_key,
      } as Credentials,
    }
    Object.assign(bench, { acquirer, account })
  })
  afterEach(() => bench.acquirer.close())
  return bench
}

const details: Record<string, MethodDetail> = {
  bca: { type: 'virtual_account', bank: 'BCA' },
  alfamart: { type: 'over_the_counter', store: 'Alfamart' },
  bni: { type: 'virtual_account', bank: 'BNI' },
  qris: { type: 'qris' },
  dana: { type: 'e_wallet', wallet_type: 'DANA' },
}
const of = (channel: string) => ({ channel, methodDetail: details[channel] as MethodDetail })
export const order = (channel: string, overrides: Partial<Charge> = {}) =>
  snapOrder(channel, {
    ...of(channel),
    callbackUrl: 'https://pay.example.com/v1/callbacks/doku/1',
    ...overrides,
  })
export const inquiry = (channel: string, overrides: Partial<Inquiry> = {}) =>
  snapInquiry(channel, { ...of(channel), ...overrides })

/** Returns DOKU's response to an accepted charge in its non-SNAP API. */
export const created = ({ body, path }: Sent): Answer => ({
  body: {
    order: { invoice_number: (body.order as { invoice_number: string }).invoice_number },
    ...(/alfa|indomaret/.test(path)
      ? { online_to_offline_info: { payment_code: '6059000000000205' } }
      : { virtual_account_info: { virtual_account_number: '1900600000000046' } }),
  },
})
