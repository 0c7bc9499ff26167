import { expect, test } from 'vitest'
import { meansOf } from './means.ts'

test('for a wallet without a payment page, the dashboard says to confirm the payment in the app', () => {
  const ovo = {
    type: 'e_wallet',
    wallet_type: 'OVO',
    redirect_url: 'https://pay.example/return/GP261120-7Q4M2ZK8XW',
    deeplink: '',
  } as const
  expect(meansOf(ovo)).toEqual({ kind: 'app' })
})

test('for every payment method, the dashboard shows payment instructions, or a note if the provider’s instructions were lost', () => {
  const link = 'https://wallet.example.com/pay/1'
  const wallet = { type: 'e_wallet', wallet_type: 'GOPAY', redirect_url: link, deeplink: '' } as const
  const cases = [
    [{ type: 'virtual_account', bank: 'BCA', va_number: '1' }, 'number'],
    [{ type: 'virtual_account', bank: 'BCA', va_number: '' }, 'unknown'],
    [{ type: 'over_the_counter', store: 'ALFAMART', store_name: 'Alfamart', payment_code: '1' }, 'number'],
    [{ type: 'over_the_counter', store: 'ALFAMART', store_name: 'Alfamart', payment_code: '' }, 'unknown'],
    [{ type: 'qris', qr_string: '0002', qr_image_url: link }, 'qr'],
    [{ type: 'qris', qr_string: '', qr_image_url: link }, 'picture'],
    [{ type: 'qris', qr_string: '', qr_image_url: '' }, 'unknown'],
    [wallet, 'links'],
    [{ ...wallet, redirect_url: '', deeplink: link }, 'links'],
    [{ ...wallet, redirect_url: '' }, 'unknown'],
    [{ ...wallet, wallet_type: 'OVO' }, 'links'],
    [{ ...wallet, wallet_type: 'OVO', redirect_url: '' }, 'app'],
  ] as const
  for (const [data, kind] of cases) expect(meansOf(data)).toMatchObject({ kind })
})
