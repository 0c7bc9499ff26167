// Checks that the database limits a caller's statements to the caller's tenants, whatever they select. Each statement
// of each operation is recorded, altered and sent again.

import pg from 'pg'
import { beforeAll, describe, expect, test } from 'vitest'
import { beginInScope } from '../../src/db/scoped-query.ts'
import { inScope, scopeOfTenant } from '../../src/db/tenant-scope.ts'
import { startWorker } from '../../src/jobs/worker.ts'
import { issueLedgerStatement } from '../../src/ledger/issue-statement.ts'
import { sealLedger } from '../../src/ledger/seal-ledger.ts'
import { appRouter, proceduresOf } from '../../src/router.ts'
import { newId } from '../../src/values/id.ts'
import { testApp } from '../support/app.ts'
import { atEnd } from '../support/at-end.ts'
import { type Call, managersOf } from '../support/management-api.ts'
import { type Answer, merchantOf, receiver, simulate, until } from '../support/merchant.ts'
import { anOrder } from '../support/order.ts'
import { type Sent, sentWhile } from '../support/sent-statements.ts'

const { app, demo, databaseUrl } = await testApp({ worker: false })

/** The objects of a merchant to which the calls of the operations refer. */
type Things = {
  tenantId: string
  paid: string
  paidCode: string
  pending: string
  event: string
  request: string
  key: string
  user: string
}

async function furnish(
  who: typeof demo.client,
  user: Call,
  owner: Call,
  hook: Awaited<ReturnType<typeof receiver>>,
): Promise<Things> {
  const shop = merchantOf(demo, who.test_key)
  const { data: paid } = await shop.create()
  await simulate(demo, paid, 'paid')
  const told = await until('the webhook', () => hook.of(paid)[0])
  const { data: pending, headers } = await shop.create()
  const request = headers.get('x-request-id') as string
  await until('the request in the log', async () => {
    const { rows } = await app.db.raw('select from api_requests where request_id = ?', [request])
    return rows.length > 0
  })
  const { data: key } = await user('POST', `/v1/tenants/${who.tenant_id}/api-keys`, { mode: 'test' })
  const { data: account } = await user('GET', '/v1/account')
  const { data: entitled } = await owner('GET', `/v1/tenants/${who.tenant_id}/entitlements`)
  const rules = { items: [{ ...entitled.items[0], max_amount: 1 }] }
  await owner('PUT', `/v1/tenants/${who.tenant_id}/routing-rules`, rules)
  return {
    tenantId: who.tenant_id,
    paid: paid.id,
    paidCode: paid.payment_code,
    pending: pending.id,
    event: told.body.id,
    request,
    key: key.id,
    user: account.user.id,
  }
}

let mine: Things
let theirs: Things
let client: Call
let partner: Call
beforeAll(async () => {
  const worker = await startWorker(app, databaseUrl, { alone: true })
  const managers = await managersOf(demo)
  ;({ client, partner } = managers)
  const hooks = [await receiver(demo), await receiver(demo, () => 200, demo.client2)] as const
  mine = await furnish(demo.client, client, managers.owner, hooks[0])
  theirs = await furnish(demo.client2, managers.client2, managers.owner, hooks[1])
  await worker.stop()
  for (const hook of hooks) hook.close()
  await sealLedger(app)
  await issueLedgerStatement(app, 0)
})

const ofClient = (rest = '') => `/v1/tenants/${mine.tenantId}${rest}`
const since = new Date().toISOString()

type Who = 'shop' | 'client' | 'partner'
/**
 * The calls to test. Each has the role with the fewest rights that may make the call. Calls of the Owner are missing,
 * because the Owner sees all tenants.
 */
const calls: [operation: string, who: Who, method: string, path: () => string, body?: () => object][] = [
  ['createPayment', 'shop', 'POST', () => '/v1/payments/create', anOrder],
  ['getPayment', 'shop', 'GET', () => `/v1/payments/${mine.paid}`],
  ['listPaymentLedger', 'shop', 'GET', () => `/v1/payments/${mine.paid}/ledger`],
  ['listPaymentTimeline', 'shop', 'GET', () => `/v1/payments/${mine.paid}/timeline`],
  ['listPaymentAttempts', 'shop', 'GET', () => `/v1/payments/${mine.paid}/attempts`],
  ['cancelPayment', 'shop', 'POST', () => `/v1/payments/${mine.pending}/cancel`],
  ['listPayments', 'shop', 'GET', () => '/v1/payments?limit=5'],
  ['listPayments', 'shop', 'GET', () => '/v1/payments?q=budi'],
  ['listPayments', 'shop', 'GET', () => `/v1/payments?q=${mine.paidCode}`],
  ['listActiveMethods', 'shop', 'GET', () => '/v1/active-methods'],
  ['listLedger', 'shop', 'GET', () => '/v1/account/ledger?limit=5'],
  ['getBalance', 'shop', 'GET', () => '/v1/account/balance'],
  ['getLedgerSeal', 'shop', 'GET', () => '/v1/account/ledger/seal'],
  ['listRequests', 'shop', 'GET', () => '/v1/account/requests?limit=5'],
  ['getRequest', 'shop', 'GET', () => `/v1/account/requests/${mine.request}`],
  ['listenForWebhooks', 'shop', 'GET', () => '/v1/account/webhook/events?wait_seconds=0'],
  ['keys.createForSession', 'client', 'POST', () => '/trpc/keys.createForSession', () => ({})],
  [
    'payments.standing',
    'client',
    'GET',
    () => `/trpc/payments.standing?input=${encodeURIComponent(JSON.stringify({ payment_id: mine.paid }))}`,
  ],
  ['getAccount', 'client', 'GET', () => '/v1/account'],
  ['getWebhook', 'client', 'GET', () => '/v1/account/webhook'],
  [
    'setWebhook',
    'client',
    'PUT',
    () => '/v1/account/webhook',
    () => ({ callback_url: 'http://127.0.0.1:9/' }),
  ],
  ['rotateWebhookSecret', 'client', 'POST', () => '/v1/account/webhook/rotate-secret'],
  ['sendTestWebhook', 'client', 'POST', () => '/v1/account/webhook/test'],
  ['listWebhookDeliveries', 'client', 'GET', () => '/v1/webhook-deliveries?mode=test&limit=5'],
  ['getWebhookDelivery', 'client', 'GET', () => `/v1/webhook-deliveries/${mine.event}`],
  ['redeliverWebhook', 'client', 'POST', () => `/v1/webhook-deliveries/${mine.event}/redeliver`],
  ['redeliverFailedWebhooks', 'client', 'POST', () => '/v1/webhook-deliveries/redeliver', () => ({ since })],
  ['listOwnApiKeys', 'client', 'GET', () => '/v1/account/api-keys'],
  ['listOwnUsers', 'client', 'GET', () => '/v1/account/users'],
  ['changePassword', 'client', 'POST', () => '/v1/account/password', samePassword],
  ['createApiKey', 'client', 'POST', () => ofClient('/api-keys'), () => ({ mode: 'test' })],
  [
    'rotateApiKey',
    'client',
    'POST',
    () => ofClient(`/api-keys/${mine.key}/rotate`),
    () => ({ grace_minutes: 5 }),
  ],
  ['revokeApiKey', 'client', 'DELETE', () => ofClient(`/api-keys/${mine.key}`)],
  ['reportPayments', 'client', 'GET', () => '/v1/reports/payments?group_by=day,status,tenant'],
  ['reportReconciliation', 'client', 'GET', () => '/v1/reports/reconciliation'],
  ['listAuditLog', 'client', 'GET', () => '/v1/audit-log?limit=5'],
  ['reportPayments', 'partner', 'GET', () => '/v1/reports/payments?group_by=tenant'],
  ['reportReconciliation', 'partner', 'GET', () => '/v1/reports/reconciliation'],
  ['listTenants', 'partner', 'GET', () => '/v1/tenants?limit=5'],
  ['createTenant', 'partner', 'POST', () => '/v1/tenants', () => ({ name: 'Toko Sari' })],
  ['getTenant', 'partner', 'GET', () => ofClient()],
  ['updateTenant', 'partner', 'PATCH', () => ofClient(), () => ({ name: 'Toko Budi' })],
  ['listApiKeys', 'partner', 'GET', () => ofClient('/api-keys')],
  ['listUsers', 'partner', 'GET', () => ofClient('/users')],
  ['createUser', 'partner', 'POST', () => ofClient('/users'), newUser],
  ['getEntitlements', 'partner', 'GET', () => ofClient('/entitlements')],
  ['setEntitlements', 'partner', 'PUT', () => ofClient('/entitlements'), entitled],
  ['getRoutingRules', 'partner', 'GET', () => ofClient('/routing-rules')],
  ['previewRoute', 'partner', 'GET', () => ofClient(aRoute)],
  ['setRoutingRules', 'partner', 'PUT', () => ofClient('/routing-rules'), () => ({ items: [] })],
]
const aRoute = '/route?mode=test&method_type=virtual_account&channel=bca&amount=10000000'
function newUser() {
  return { email: `${newId()}@example.com`, password: 'rahasia sekali' }
}
function samePassword() {
  return { current_password: demo.client.password, new_password: demo.client.password }
}
function entitled() {
  return { items: demo.provider_accounts.map(({ id }) => ({ provider_account_id: id })) }
}

async function call([, who, method, path, body]: (typeof calls)[number]): Promise<Answer> {
  if (who !== 'shop') return { client, partner }[who](method, path(), body?.())
  const headers = { 'x-idempotency-key': newId() }
  return merchantOf(demo).call(method, path(), { headers, ...(body && { body: body() }) })
}

/** The statements that the service sends without a tenant scope while it serves a call, each with the reason. */
const exceptions: [statement: RegExp, why: string, operation?: string][] = [
  [
    /with ordinality as k \(hash, key_number\)|select [^;]* from tenants where id = \$1$|select from refresh_tokens where family_id = \$1 and/,
    'who calls is not known yet',
  ],
  [
    /from (provider_accounts where|signing_keys|tier_limits)|with ordinality as k \(tenant_id, key_number\)\s+cross join lateral \(\s+select [^;]* from (entitlements|routing_rules|tenant_limits|webhook_endpoints) /,
    'the configuration is kept in memory for all',
  ],
  [/update api_keys k set last_used_at/, 'when keys were used is written for all of them, once a second'],
  [/insert into api_requests/, 'the request log is written for all tenants, twice a second'],
  [/pg_notify|^select$/, 'the service proves to itself that it hears'],
  [
    /from (ledger_statements|balances b\s+cross join lateral \(\s+select s)/,
    'a head is proven by those of all others',
  ],
  [
    /from users where tenant_id = \$1 and id = \$2|update (users|password_resets|refresh_tokens) set|login_throttles|pg_advisory_xact_lock|insert into audit_log/,
    'neither the hash of a password nor a session is there for any scope',
    'changePassword',
  ],
  [/insert into provider_callbacks/, 'what the sandbox tells meanwhile is a request of its own'],
]

const isExcepted = (operation: string, text: string): boolean =>
  exceptions.some(([statement, , only = operation]) => only === operation && statement.test(text))

const sentBy = new Map<(typeof calls)[number], Sent[]>()
beforeAll(async () => {
  for (const row of calls)
    sentBy.set(
      row,
      await sentWhile(async () => {
        const answer = await call(row)
        expect([row[0], answer.status], answer.text).toEqual([row[0], 200])
      }),
    )
})

test('this test calls every operation that other tenants than the Owner may call', () => {
  const known = proceduresOf(appRouter).flatMap(([name, { _def }]) => {
    const { openapi, access, roles } = _def.meta ?? {}
    const isNobodys = access === 'public' || (roles?.length === 1 && roles[0] === 'owner')
    // One poll serves all open pages, outside any scope (live.test.ts checks what each page receives).
    const isStream = _def.type === 'subscription'
    return isNobodys || isStream ? [] : [openapi?.operationId ?? name]
  })
  expect([...new Set(calls.map(([operation]) => operation))].sort()).toEqual([...new Set(known)].sort())
})

test('every database statement of a call is sent in the caller’s tenant scope, except the listed statements', () => {
  const outside = new Set<string>()
  let inside = 0
  for (const [[operation, who], sent] of sentBy)
    for (const { text, scope } of sent) {
      const whose = who === 'partner' ? demo.partner.tenant_id : mine.tenantId
      // The scope must also include the tenant that the call creates.
      const size = operation === 'createTenant' ? 2 : 1
      if (scope?.includes(whose) && scope.length === size) inside++
      else if (scope !== undefined || !isExcepted(operation, text))
        outside.add(`${operation}: ${scope} ${text}`)
    }
  expect([...outside]).toEqual([])
  expect(inside).toBeGreaterThan(calls.length)
})

/** The recorded statements without duplicates, each with the caller for which it was sent. */
function statements(...whose: Who[]): { sent: Sent; who: Who }[] {
  const found = new Map<string, { sent: Sent; who: Who }>()
  for (const [[, who], all] of sentBy)
    for (const sent of all)
      if (sent.scope !== undefined && whose.includes(who)) found.set(`${who} ${sent.text}`, { sent, who })
  return [...found.values()]
}

/** Returns the parameters of a statement with the ids of one merchant replaced by those of the other merchant. */
function withIds(value: unknown, from: Things, to: Things): unknown {
  if (Array.isArray(value)) return value.map(each => withIds(each, from, to))
  if (typeof value !== 'string') return value
  return Object.keys(from).reduce(
    (text, name) => text.replaceAll(from[name as keyof Things], to[name as keyof Things]),
    value,
  )
}

const connection = new pg.Client({ connectionString: databaseUrl })
beforeAll(async () => {
  await connection.connect()
  atEnd(() => connection.end())
})

/** Runs a statement and rolls it back. Returns its rows in sorted order, or its error. */
async function answerTo({ text, values }: Pick<Sent, 'text' | 'values'>, who?: Who): Promise<string[]> {
  const scope =
    who === 'partner'
      ? { tenants: [], partners: [demo.partner.tenant_id] }
      : who && scopeOfTenant(mine.tenantId)
  await inScope(scope, () => beginInScope(connection, 'begin'))
  try {
    const { rows, rowCount } = await connection.query(
      text.replaceAll('now()', `timestamptz '${since}'`),
      values,
    )
    return [`${rowCount} rows`, ...rows.map(row => JSON.stringify(row)).sort()]
  } catch (error) {
    return [`error ${(error as { code: string }).code}`]
  } finally {
    await connection.query('rollback')
  }
}
const refused = ['error 42501']

/** Returns ids of the same length that no object has. */
const nobodys = (): Things => ({
  tenantId: newId(),
  paid: newId(),
  paidCode: 'GP261101-0000000000',
  pending: newId(),
  event: newId(),
  request: newId(),
  key: newId(),
  user: newId(),
})

describe('a database statement in a caller’s tenant scope', () => {
  test('treats ids of another tenant like unknown ids', async () => {
    const nobody = nobodys()
    const leaks: unknown[] = []
    let found = 0
    for (const { sent, who } of statements('shop', 'client', 'partner')) {
      const toTheirs = { ...sent, values: sent.values.map(value => withIds(value, mine, theirs)) }
      const toNobodys = { ...sent, values: sent.values.map(value => withIds(value, mine, nobody)) }
      const held = await answerTo(toTheirs, who)
      const absent = (await answerTo(toNobodys)).map(row => withIds(row, nobody, theirs))
      const free = await answerTo(toTheirs)
      if (JSON.stringify(free) !== JSON.stringify(absent)) found++
      if (JSON.stringify(held) !== JSON.stringify(refused) && JSON.stringify(held) !== JSON.stringify(absent))
        leaks.push({ text: sent.text, held, absent })
    }
    expect(leaks).toEqual([])
    // As a control, the same statements find the other merchant's rows when they are sent without a scope.
    expect(found).toBeGreaterThan(20)
  })

  test('returns the same rows even if its tenant condition is removed', async () => {
    const wrong: unknown[] = []
    let found = 0
    for (const { sent, who } of statements('shop', 'client')) {
      const text = forgetful(sent.text)
      if (text === sent.text) continue
      const right = await answerTo(sent)
      const held = await answerTo({ ...sent, text }, who)
      const free = await answerTo({ ...sent, text })
      if (JSON.stringify(free) !== JSON.stringify(right)) found++
      if (JSON.stringify(held) !== JSON.stringify(right)) wrong.push({ text, held, right })
    }
    expect(wrong).toEqual([])
    expect(found).toBeGreaterThan(5)
  })

  test('uses the same indexes and conditions as without the scope', async () => {
    await connection.query('set enable_seqscan = off; set enable_bitmapscan = off')
    let looked = 0
    for (const { sent, who } of statements('shop', 'client', 'partner')) {
      const explain = { text: `explain (generic_plan, format json) ${sent.text}`, values: [] }
      if (!/^\s*(select|with|insert|update|delete)\b/i.test(sent.text)) continue
      const [held, free] = [await answerTo(explain, who), await answerTo(explain)].map(searchesIn)
      expect({ text: sent.text, searches: held }).toEqual({ text: sent.text, searches: free })
      looked += free?.length ?? 0
    }
    expect(looked).toBeGreaterThan(50)
  })
})

type Plan = { 'Index Name'?: string; 'Index Cond'?: string; Plans?: Plan[] }

/**
 * Returns the index and the condition of each search in a query plan. Numbers of subplans are removed, because policies
 * change them.
 */
function searchesIn([, answer]: string[]): string[] {
  const found: string[] = []
  const below = ({ 'Index Name': index, 'Index Cond': condition = '', Plans = [] }: Plan) => {
    if (index) found.push(`${index} ${condition.replace(/(InitPlan|SubPlan) \d+/g, '$1')}`)
    Plans.forEach(below)
  }
  below(JSON.parse(answer as string)['QUERY PLAN'][0].Plan)
  return found.sort()
}

/** Returns the statement without its conditions on a tenant. The parameters keep their types. */
const forgetful = (text: string): string =>
  text.replace(
    /(?<!\w)(\w+\.)?(tenant_id|actor_tenant_id|t\.id|t\.parent_id) = (\$\d+|\w+\.(tenant_id|"tenantId"))/g,
    '($& or true)',
  )
