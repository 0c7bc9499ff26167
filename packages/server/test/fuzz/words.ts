// Generates realistic values for some properties: ids of existing objects, channels, and days near today. Arbitrary
// text would match the schemas, which allow almost any text, but the service would reject it. A reference to an
// existing object becomes the object's id when the request is sent (world.ts).

import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import type { Known } from './schema.ts'

/** The kinds of existing objects to which a generated request can refer. */
export type Thing =
  | ('payment' | 'payment_code' | 'challenged_payment' | 'unknown_payment' | 'idempotency_key' | 'event')
  | ('tenant' | 'partner' | 'key' | 'email' | 'refresh_token' | 'reset_token' | 'account' | 'credentials')
  | ('callback' | 'money' | 'nobodys_money' | 'cursor' | 'sandbox')

/**
 * A reference to an existing object, which is one of the caller's own objects or any object (`whose`). `pick` is the
 * object's position, counted back from the newest object, which has position 0.
 */
export class Ref {
  readonly thing: Thing
  readonly whose: 'own' | 'any'
  readonly pick: number
  constructor(thing: Thing, whose: 'own' | 'any', pick: number) {
    this.thing = thing
    this.whose = whose
    this.pick = pick
  }
}

const ref = (thing: Thing): fc.Arbitrary<Ref> =>
  fc
    .tuple(
      fc.oneof(
        { weight: 3, arbitrary: fc.constant('own' as const) },
        { weight: 1, arbitrary: fc.constant('any' as const) },
      ),
      // Most generated requests refer to the newest objects, because earlier requests have already changed the older
      // objects.
      fc.oneof(fc.nat(2), fc.nat(30)),
    )
    .map(([whose, pick]) => new Ref(thing, whose, pick))

/** The password of every user that the fuzz test creates. */
export const PASSWORD = 'correct horse battery staple'

const DAY_MS = 86_400_000
const days = fc.integer({ min: -40, max: 1 }).map(offset => new Date(Date.now() + offset * DAY_MS))
const day = days.map(at => at.toISOString().slice(0, 10))
const moment = days.map(at => at.toISOString())

const customers = fc.constantFrom(
  ...[
    'Budi Santoso',
    'Siti 👩‍🍳',
    "O'Brien",
    'SANDBOX REJECT',
    'SANDBOX OUTAGE',
    'SANDBOX NOT JSON',
    'SANDBOX INACTIVE',
  ],
)

/**
 * Returns a placeholder for a payment code in a settlement file. Other requests contain a reference object (Ref),
 * but the settlement file is text, so it contains this placeholder instead.
 */
const codeMark = (pick: number): string => `<code ${pick}>`
export const codeMarks = /<code (\d+)>/g

const settlementLine = fc
  .tuple(fc.nat(30), fc.constantFrom('100000.00', '0', '-5', '1.234', '99999999999999999999', 'x', ''))
  .map(([pick, amount]) => `${codeMark(pick)},${amount}`)
const settlement = fc.oneof(
  fc
    .array(fc.nat(30), { maxLength: 3 })
    .map(picks => ['reference,amount', ...picks.map(pick => `${codeMark(pick)},100000.00`), ''].join('\n')),
  fc
    .tuple(
      fc.constantFrom(
        'reference,amount',
        'amount,reference',
        'reference',
        'reference,amount,status',
        '\ufeffreference,amount',
        '',
      ),
      fc.array(settlementLine, { maxLength: 5 }),
      fc.constantFrom('\r\n', '\n', '\r', '"'),
    )
    .map(([head, lines, end]) => [head, ...lines, ''].join(end)),
)

const groups = fc
  .subarray(['day', 'status', 'method_type', 'provider', 'tenant'], { minLength: 1 })
  .map(words => words.join(','))

const named: Record<string, fc.Arbitrary<unknown>> = {
  payment_id: ref('payment'),
  event_id: ref('event'),
  tenant_id: ref('tenant'),
  parent_id: fc.oneof(ref('partner'), fc.constant(null)),
  key_id: ref('key'),
  account_id: ref('account'),
  provider_account_id: ref('account'),
  cursor: ref('cursor'),
  q: ref('payment_code'),
  refresh_token: ref('refresh_token'),
  token: ref('reset_token'),
  email: fc.oneof(
    ref('email'),
    fc.constant(0).map(() => `${randomUUID()}@example.com`),
  ),
  password: fc.constant(PASSWORD),
  new_password: fc.constant(PASSWORD),
  credentials: ref('credentials'),
  base_url: ref('sandbox'),
  callback_url: fc.constantFrom('http://127.0.0.1:9/hook', null),
  'X-Idempotency-Key': fc.oneof(fc.uuid(), ref('idempotency_key')),
  amount: fc.integer({ min: 10_000, max: 500_000 }).map(rupiah => rupiah * 100),
  expiry_minutes: fc.integer({ min: 15, max: 120 }),
  customer_name: customers,
  bank: fc.constantFrom('BCA', 'bni', 'Bri', 'mandiri', 'permata', 'cimb'),
  wallet_type: fc.constantFrom('GOPAY', 'ovo', 'dana', 'shopeepay'),
  store: fc.constantFrom('ALFAMART', 'indomaret'),
  channel: fc.constantFrom('bca', 'qris', null),
  provider: fc.constantFrom('midtrans', 'xendit', 'snap', 'doku', 'tripay', 'duitku'),
  provider_code: fc.constantFrom('midtrans', 'xendit', 'snap', 'doku', 'tripay', 'duitku'),
  from: fc.oneof(day, moment),
  to: fc.oneof(day, moment),
  date: day,
  since: moment,
  group_by: groups,
  // The requested wait for new events is always 0 seconds, because waiting would only slow down the run.
  wait_seconds: fc.constant(0),
  'text/csv': settlement,
}

/** Maps operations to the ids they accept. Each of these operations accepts only the ids of one kind of object. */
const ids: Record<string, fc.Arbitrary<unknown>> = {
  reprocessProviderCallback: ref('callback'),
  resolvePayment: ref('challenged_payment'),
  assignUnexpectedMoney: ref('nobodys_money'),
  inquireUnknownPayment: ref('unknown_payment'),
  resolveUnknownPayment: ref('unknown_payment'),
}

export const knownOf =
  (operationId: string): Known =>
  name => {
    if (name === 'id') return ids[operationId] ?? (operationId === 'createPayment' ? undefined : ref('money'))
    if (name === 'payment_id' && operationId !== 'assignUnexpectedMoney')
      return ids[operationId] ?? ref('payment')
    // Reports accept only dates for this field, whereas lists also accept points in time.
    if (operationId === 'reportPayments' && (name === 'from' || name === 'to')) return day
    return named[name]
  }
