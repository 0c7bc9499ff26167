import type { Context } from 'koa'
import type { Sandbox } from '../provider.ts'
import { type Answer, refusal } from './errors.ts'
import { businessIdOf, callerOf } from './merchant.ts'
import {
  channelOf,
  derivedUuid,
  ownOrders,
  type Product,
  rupiahOf,
  sameIdAs,
  timeOf,
  updatedAt,
  type XenditOrder,
} from './order.ts'

// Handles GET /transactions (docs.xendit.co/apidocs/list-transactions), which lists received and failed payments.
// Unpaid QR codes are PENDING, as in a recorded response for a test key. Xendit documents neither the order nor the
// maximum page size. The sandbox returns up to 50 transactions, newest first.

const PRODUCTS: readonly Product[] = ['v3', 'v2', 'virtual_account', 'qr_code', 'qr_code_2022', 'ewallet']
const DEFAULT_LIMIT = 10
const MOST = 50

type Message = Record<string, unknown>
type Transaction = { id: string; created: number; status: string; message: Message }

export function listTransactions(sandbox: Sandbox, ctx: Context): { listed: Message } | { refused: Answer } {
  const caller = callerOf(ctx.headers.authorization)
  if ('refused' in caller) return caller
  const query = new URLSearchParams(ctx.querystring)
  const isAsked = (name: string, value: string) => !query.has(name) || query.getAll(name).includes(value)
  const reference = query.get('reference_id') ?? undefined
  const [from, to] = ['created[gte]', 'created[lte]'].map(name => timeAsked(query.get(name)))
  if (from === null || to === null) return { refused: refusal('API_VALIDATION_ERROR') }
  const found = [...ownOrders(sandbox, caller.key, PRODUCTS, reference)]
    .flatMap(order => transactionOf(order) ?? [])
    .filter(({ status }) => isAsked('types', 'PAYMENT') && isAsked('statuses', status))
    .filter(({ created }) => (from === undefined || created >= from) && (to === undefined || created <= to))
    .sort((a, b) => b.created - a.created)
  const after = query.get('after_id')
  const rest = found.slice(after === null ? 0 : found.findIndex(({ id }) => id === after) + 1)
  const limit = Math.min(Math.max(Number(query.get('limit')) || DEFAULT_LIMIT, 1), MOST)
  return {
    listed: {
      has_more: rest.length > limit,
      data: rest.slice(0, limit).map(({ message }) => message),
      links: [],
    },
  }
}

/** Parses a filter's time. Returns undefined if there is no filter, and null if the time is invalid. */
function timeAsked(text: string | null): number | undefined | null {
  if (text === null) return undefined
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : at
}

function transactionOf(order: XenditOrder): Transaction | undefined {
  const status = statusOf(order)
  if (status === undefined) return undefined
  const id = `txn_${derivedUuid(order, 'transaction')}`
  const created = order.settledAt ?? order.createdAt
  const { product, channel } = order.detail
  const isRequest = product === 'v3' || product === 'v2'
  return {
    id,
    created,
    status,
    message: {
      id,
      product_id: product === 'v3' ? sameIdAs(order, 'py-') : order.id,
      type: 'PAYMENT',
      status,
      channel_category: categoryOf(order),
      channel_code: channel,
      reference_id: order.reference,
      account_identifier: order.number || null,
      currency: 'IDR',
      amount: rupiahOf(order.recordedCents),
      net_amount: rupiahOf(order.recordedCents),
      net_amount_currency: 'IDR',
      cashflow: 'MONEY_IN',
      settlement_status: 'PENDING',
      estimated_settlement_time: null,
      business_id: businessIdOf(order.merchant),
      created: timeOf(created),
      updated: updatedAt(order),
      fee: {
        xendit_fee: 0,
        value_added_tax: 0,
        xendit_withholding_tax: 0,
        third_party_withholding_tax: 0,
        status: 'PENDING',
      },
      ...(isRequest && { product_data: { payment_request_id: order.id } }),
    },
  }
}

function statusOf(order: XenditOrder): string | undefined {
  switch (order.status) {
    case 'paid':
    case 'challenged':
      return 'SUCCESS'
    case 'failed':
      return 'FAILED'
    case 'pending':
      return channelOf(order).kind === 'QR_CODE' ? 'PENDING' : undefined
    default:
      return undefined
  }
}

function categoryOf(order: XenditOrder): string {
  const { kind } = channelOf(order)
  return kind === 'OVER_THE_COUNTER' ? 'RETAIL_OUTLET' : kind
}
