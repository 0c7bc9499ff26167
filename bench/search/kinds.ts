// Defines the kinds of search that `pnpm bench:search` measures. Each search text comes from a sample of the
// tenant's payments, so every search finds payments.

import type { SearchTerms } from '../../packages/server/src/payments/read/search-query.ts'
import { query } from '../host/query.ts'

export type Kind = { name: string; terms: Partial<SearchTerms>[] }

type Sampled = {
  id: string
  payment_code: string
  idempotency_key: string
  provider_payment_id: string
  va_number: string | null
  store_code: string | null
  customer_name: string
  customer_email: string
  customer_phone: string
  channel: string
  amount: string
}

/**
 * The number of payments in the sample from which the search texts are taken. A word counts as common or rare
 * depending on how often it occurs in this sample.
 */
const SAMPLE = 5_000
/** How many different search texts the benchmark uses at most for each kind of search. */
const TEXTS = 25

/** Returns random payments of the tenant from the period covered by the seed data, each only once. */
const samplePayments = (url: string, tenantId: string): Promise<Sampled[]> =>
  query<Sampled>(
    url,
    `select distinct on (p.id) p.id, payment_code, idempotency_key, provider_payment_id, customer_name, customer_email,
            customer_phone, channel, amount::text, method_data ->> 'va_number' as va_number,
            method_data ->> 'payment_code' as store_code
     from (select first.id as first_id, last.id as last_id from
             (select id from payments where tenant_id = $1 order by id limit 1) first,
             (select id from payments where tenant_id = $1 order by id desc limit 1) last) bounds,
          generate_series(1, $2::integer) n,
          lateral (
            select * from payments where tenant_id = $1 and id >= uuidv7(
              uuid_extract_timestamp(first_id) - clock_timestamp() + n * interval '0'
              + random() * (uuid_extract_timestamp(last_id) - uuid_extract_timestamp(first_id)))
            order by id limit 1
          ) p`,
    [tenantId, SAMPLE],
  )

export async function kindsOf(url: string, tenantId: string): Promise<Kind[]> {
  const sample = shuffled(await samplePayments(url, tenantId))
  const each = (name: string, terms: (payment: Sampled) => Partial<SearchTerms> | undefined): Kind => ({
    name,
    terms: sample
      .map(terms)
      .filter(term => term !== undefined)
      .slice(0, TEXTS),
  })
  const text = (name: string, textOf: (payment: Sampled) => string | null | undefined): Kind =>
    each(name, payment => {
      const found = textOf(payment)
      return found ? { text: found } : undefined
    })
  const words = (name: string, texts: string[]): Kind => ({
    name,
    terms: texts.slice(0, TEXTS).map(each => ({ text: each })),
  })

  const surnames = byFrequency(sample.map(surnameOf))
  const firstNames = byFrequency(sample.map(firstNameOf))
  const domains = byFrequency(sample.map(domainOf))
  return [
    text('payment code', ({ payment_code }) => payment_code),
    text('last 6 characters of a payment code', ({ payment_code }) => payment_code.slice(-6)),
    // The search also looks for the text without its first character, and without its first two characters. Any 5
    // characters from the middle of a payment's code therefore find the payment.
    text('5 characters from the middle of a payment code', ({ payment_code }) => payment_code.slice(-9, -4)),
    text('ID', ({ id }) => id),
    text('order reference', ({ idempotency_key }) => idempotency_key),
    text('VA number', ({ va_number }) => va_number),
    text('first 8 digits of a VA number', ({ va_number }) => va_number?.slice(0, 8)),
    text('last 4 digits of a VA number', ({ va_number }) => va_number?.slice(-4)),
    text('last 6 digits of a VA number', ({ va_number }) => va_number?.slice(-6)),
    text('store code', ({ store_code }) => store_code),
    text("provider's ID", ({ provider_payment_id }) => provider_payment_id),
    text('email address', ({ customer_email }) => customer_email),
    words('common email domain', domains.common),
    words('rare email domain', domains.rare),
    text('phone number', ({ customer_phone }) => customer_phone),
    words('surname, most common', surnames.common),
    words('surname found in 0.1 to 0.3 % of the payments', surnames.medium),
    words('surname, rare', surnames.rare),
    words('first name, most common', firstNames.common),
    words('first name, rare', firstNames.rare),
    text('first 3 letters of a surname', payment => surnameOf(payment)?.slice(0, 3)),
    text('first name and surname', ({ customer_name }) =>
      customer_name.includes(' ') ? customer_name : undefined,
    ),
    text('amount', ({ amount }) => String(Number(amount) / 100)),
    each('channel and amount', ({ channel, amount }) => ({ channel, amount: BigInt(amount) })),
    words(
      'text without matches',
      Array.from({ length: TEXTS }, (_, n) => `unmatched${n}`),
    ),
    words('email domain that occurs in 5 % of the oldest third of the payments and in no others', [
      'plasa.com',
      '@plasa.com',
    ]),
    words('start of order references that only the oldest third of the payments contains', ['inv', 'INV-']),
  ].filter(({ terms }) => terms.length > 0)
}

const firstNameOf = ({ customer_name }: Sampled) => customer_name.split(' ')[0]
const surnameOf = ({ customer_name }: Sampled) => customer_name.split(' ')[1]
const domainOf = ({ customer_email }: Sampled) => customer_email.split('@')[1]

/** Groups search words as common, medium or rare, by the share of the sampled payments that contain them. */
function byFrequency(found: (string | undefined)[]): Record<'common' | 'medium' | 'rare', string[]> {
  const counts = new Map<string, number>()
  for (const word of found) if (word) counts.set(word, (counts.get(word) ?? 0) + 1)
  const sorted = [...counts].sort(([, a], [, b]) => b - a)
  const within = (least: number, most: number) =>
    sorted.filter(([, count]) => count >= least * found.length && count <= most * found.length)
  return {
    common: sorted.slice(0, 2).map(([word]) => word),
    medium: shuffled(within(0.001, 0.003).map(([word]) => word)),
    rare: shuffled(sorted.filter(([, count]) => count === 1).map(([word]) => word)),
  }
}

/** Returns the values in a shuffled order that is the same on every run. */
function shuffled<Value>(values: Value[]): Value[] {
  return values
    .map((value, n) => ({ value, place: (n * 7_919) % 10_007 }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value)
}
