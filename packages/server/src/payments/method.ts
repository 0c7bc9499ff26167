// Defines the payment methods. The merchant chooses a payment method with the field `method_detail` of the request. The
// field `method_data` of the response contains what the payer needs to pay, such as an account number.

import { z } from 'zod'
import { rule } from '../faults/rule.ts'
import { notBlank } from '../values/text.ts'

export const methodTypes = ['virtual_account', 'qris', 'e_wallet', 'over_the_counter'] as const
export type MethodType = (typeof methodTypes)[number]

/**
 * The method types that the list of active methods can contain. This list includes cardless credit, although
 * payments with it cannot be created yet.
 */
export const listedMethodTypes = [...methodTypes, 'cardless_credit'] as const
export type ListedMethodType = (typeof listedMethodTypes)[number]

export const methodNames: Record<ListedMethodType, string> = {
  virtual_account: 'Virtual Account',
  qris: 'QRIS',
  e_wallet: 'E-Wallet',
  over_the_counter: 'Over the Counter',
  cardless_credit: 'Cardless Credit',
}

const channelCode = (what: string, example: string) =>
  z
    .string()
    .trim()
    .min(1, rule('channel_needed', { what }))
    .max(255)
    .meta({
      ...notBlank,
      description: `Channel code of the ${what} from \`GET /v1/active-methods\`, case-insensitive`,
      example,
    })

export const virtualAccountDetail = z
  .object({ type: z.literal('virtual_account'), bank: channelCode('bank', 'BCA') })
  .meta({ id: 'VirtualAccountDetail' })
export const qrisDetail = z.object({ type: z.literal('qris') }).meta({ id: 'QrisDetail' })
export const eWalletDetail = z
  .object({ type: z.literal('e_wallet'), wallet_type: channelCode('wallet', 'GOPAY') })
  .meta({ id: 'EWalletDetail' })
export const overTheCounterDetail = z
  .object({ type: z.literal('over_the_counter'), store: channelCode('store', 'ALFAMART') })
  .meta({ id: 'OverTheCounterDetail' })

export const methodDetail = z.discriminatedUnion('type', [
  virtualAccountDetail,
  qrisDetail,
  eWalletDetail,
  overTheCounterDetail,
])
export type MethodDetail = z.output<typeof methodDetail>

export const virtualAccountData = z
  .strictObject({
    type: z.literal('virtual_account'),
    bank: z.string().meta({ description: 'The bank from the create request', example: 'BCA' }),
    va_number: z.string().meta({
      description: 'Virtual account number the payer transfers the money to',
      example: '812785002530231',
    }),
  })
  .meta({ id: 'VirtualAccountData' })
export const qrisData = z
  .strictObject({
    type: z.literal('qris'),
    qr_string: z
      .string()
      .meta({ description: 'The QRIS content. Display it as a QR code', example: '00020101021226…' }),
    qr_image_url: z.string().meta({
      description:
        'URL of an image of the QR code, hosted by the provider or by this service. No credential is required',
      example: 'https://api.example.com/qr/GP261120-7Q4M2ZK8XW.svg',
    }),
  })
  .meta({ id: 'QrisData' })
export const eWalletData = z
  .strictObject({
    type: z.literal('e_wallet'),
    wallet_type: z.string().meta({ description: 'The e-wallet from the create request', example: 'GOPAY' }),
    redirect_url: z.string().meta({
      description:
        'URL to which you redirect the payer. Some providers have no payment page for OVO. It is then a page of this service, which asks the payer to confirm in the OVO app and shows the result. Redirect the payer right away, because the request in the app can expire after 55 seconds. Empty only if the payment was paid before the charge response arrived',
      example: 'https://wallet.example.com/pay/1',
    }),
    deeplink: z.string().meta({
      description: 'Link that opens the e-wallet app on a phone; empty if the e-wallet has no such link',
      example: 'gojek://pay/1',
    }),
  })
  .meta({ id: 'EWalletData' })
export const overTheCounterData = z
  .strictObject({
    type: z.literal('over_the_counter'),
    store: z.string().meta({ description: 'The store from the create request', example: 'ALFAMART' }),
    store_name: z
      .string()
      .meta({ description: 'Name of the store, to show to the payer', example: 'Alfamart' }),
    payment_code: z.string().meta({
      description: "Code the payer shows at the store's cash register",
      example: '8127740588870520',
    }),
  })
  .meta({ id: 'OverTheCounterData' })

export const methodData = z.discriminatedUnion('type', [
  virtualAccountData,
  qrisData,
  eWalletData,
  overTheCounterData,
])
type MethodDataView = z.output<typeof methodData>

type WithoutStore<Data> = Data extends { store: string } ? Omit<Data, 'store'> : Data
/**
 * The payment instructions, as a provider's adapter returns them and the database stores them. They lack `store`, which
 * the view of a payment takes from its `method_detail`.
 */
export type MethodData = WithoutStore<MethodDataView>

/**
 * Returns the channel as the merchant spelled it. For QRIS, returns `qris`, because a QRIS request contains
 * no channel: QRIS has only one.
 */
export function channelAsSent(detail: MethodDetail): string {
  switch (detail.type) {
    case 'virtual_account':
      return detail.bank
    case 'qris':
      return 'qris'
    case 'e_wallet':
      return detail.wallet_type
    case 'over_the_counter':
      return detail.store
  }
}

/** The name of the request field that selects the channel, for error messages. */
export const channelField: Record<MethodType, string> = {
  virtual_account: 'method_detail.bank',
  qris: 'method_type',
  e_wallet: 'method_detail.wallet_type',
  over_the_counter: 'method_detail.store',
}

/** Returns the channel code in lower case, as this service uses it internally. */
export const channelCodeOf = (detail: MethodDetail): string => channelAsSent(detail).toLowerCase()

const storeNames: Record<string, string> = {
  alfamart: 'Alfamart',
  indomaret: 'Indomaret',
  alfamidi: 'Alfamidi',
}

/** Returns a store's name for the payer. `store` is the store's channel code in any casing. */
export const storeNameOf = (store: string): string => storeNames[store.toLowerCase()] ?? store

/** Returns `method_data` as the API returns it. `instructions` is null if the provider has not returned them yet. */
export function viewMethodData(detail: MethodDetail, instructions: MethodData | null): MethodDataView {
  const data = instructions ?? withoutInstructions(detail)
  if (data.type !== 'over_the_counter') return data
  const { type, ...shown } = data
  return { type, store: channelAsSent(detail), ...shown }
}

/**
 * Returns empty payment instructions. A payment has none if a callback reports it as paid before the charge response
 * arrives.
 */
function withoutInstructions(detail: MethodDetail): MethodData {
  switch (detail.type) {
    case 'virtual_account':
      return { type: detail.type, bank: detail.bank, va_number: '' }
    case 'qris':
      return { type: detail.type, qr_string: '', qr_image_url: '' }
    case 'e_wallet':
      return { type: detail.type, wallet_type: detail.wallet_type, redirect_url: '', deeplink: '' }
    case 'over_the_counter':
      return { type: detail.type, store_name: storeNameOf(detail.store), payment_code: '' }
  }
}
