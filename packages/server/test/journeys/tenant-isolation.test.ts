// Checks that the database limits a caller's SQL statements to the caller's tenants, even if the statements select
// other data. The test records the statements of each operation, changes them, and sends them again.

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
import { type Answer, logIn, merchantOf, receiver, simulate, until } from '../support/merchant.ts'
import { forgetful, searchesIn } from '../support/query-plan.ts'
import { type Sent, sentWhile } from '../support/sent-statements.ts'
import { deliveredTo, newEndpoint } from './endpoint-calls.ts'
import {
  aRefund,
  newUser,
  since,
  type TenantCall,
  type Things,
  tenantCalls,
  type Who,
} from './tenant-isolation-calls.ts'

const { app, demo, databaseUrl } = await testApp({ worker: false })

async function furnish(
  who: typeof demo.client,
  user: Call,
  owner: Call,
  hook: Awaited<ReturnType<typeof receiver>>,
): Promise<Things> {
  const shop = merchantOf(demo, who.test_key)
  const endpoint = await newEndpoint(user)
  const { data: paid } = await shop.create()
  await simulate(demo, paid, 'paid')
  const told = await until('the webhook arrives', () => hook.of(paid)[0])
  await deliveredTo(user, endpoint)
  const { data: refund } = await shop.call('POST', `/v1/payments/${paid.id}/refunds`, {
    body: aRefund(),
    headers: { 'x-idempotency-key': newId() },
  })
  const { data: pending, headers } = await shop.create()
  const request = headers.get('x-request-id') as string
  await until('the request log contains the rejected request', async () => {
    const { rows } = await app.db.raw('select from api_requests where request_id = ?', [request])
    return rows.length > 0
  })
  const { data: key } = await user('POST', `/v1/tenants/${who.tenant_id}/api-keys`, { mode: 'test' })
  const { data: account } = await user('GET', '/v1/account')
  const { data: colleague } = await user('POST', `/v1/tenants/${who.tenant_id}/users`, newUser())
  const { email } = newUser()
  const { data: invited } = await user('POST', `/v1/tenants/${who.tenant_id}/users`, { email })
  await logIn(demo, who)
  const { data: sessions } = await user('GET', '/v1/account/sessions')
  const { data: entitled } = await owner('GET', `/v1/tenants/${who.tenant_id}/entitlements`)
  const rules = { items: [{ ...entitled.items[0], max_amount: 1 }] }
  await owner('PUT', `/v1/tenants/${who.tenant_id}/routing-rules`, rules)
  return {
    tenantId: who.tenant_id,
    paid: paid.id,
    paidCode: paid.payment_code,
    pending: pending.id,
    refund: refund.id,
    event: told.body.id,
    endpoint,
    request,
    key: key.id,
    user: account.user.id,
    colleague: colleague.id,
    invited: invited.id,
    // The first session in the list is the newest one, so it belongs to the last login.
    session: sessions.items[0].id,
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

const calls = tenantCalls(demo, () => mine)

async function call([, who, method, path, body]: TenantCall): Promise<Answer> {
  if (who !== 'shop') return { client, partner }[who](method, path(), body?.())
  const headers = { 'x-idempotency-key': newId() }
  return merchantOf(demo).call(method, path(), { headers, ...(body && { body: body() }) })
}

/**
 * SQL statements that the service may send without a tenant scope (a restriction to one tenant's rows), each
 * with the reason.
 */
const exceptions: [statement: RegExp, why: string, operation?: string][] = [
  [
    /with ordinality as k \(hash, key_number\)|select [^;]* from tenants where id = \$1$|from refresh_tokens\s+where family_id = \$1 group by/,
    'the caller is not identified yet',
  ],
  [
    /from (provider_accounts where|signing_keys|tier_limits)|with ordinality as k \(tenant_id, key_number\)\s+cross join lateral \(\s+select [^;]* from (entitlements|routing_rules|tenant_limits|webhook_endpoints|tenants t\s+left join fee_schedules) /,
    'the cached configuration is shared by all callers',
  ],
  [
    /update api_keys k set last_used_at/,
    'the last-used times of all keys are written together, once a second',
  ],
  [/insert into api_requests/, 'the request log is written for all tenants, twice a second'],
  [/pg_notify|^select$/, 'the service checks that it receives notifications'],
  [
    /from (ledger_statements|balances b\s+cross join lateral \(\s+select s)/,
    'the proof of a seal needs the seals of all balances',
  ],
  [
    /from users where tenant_id = \$1 and id = \$2|update (users|password_resets|refresh_tokens) set|login_throttles|pg_advisory_xact_lock|insert into audit_log/,
    'the tenant scope cannot read password hashes and sessions',
    'changePassword',
  ],
  ...['updateUser', 'removeUser', 'resetSecondFactor', 'listSessions', 'endSession', 'endOtherSessions'].map(
    (operation): [RegExp, string, string] => [
      /from (tenants|users) (where|for)|from sessions s|exists \(select from totp_secrets|with (ended|waiting|outdated|before|replaced) as|delete from|update (users|password_resets|refresh_tokens) set|insert into audit_log/,
      'the tenant scope cannot read sessions and second factors',
      operation,
    ],
  ),
  [
    /enqueue\('report_security_change'/,
    'the mail is enqueued in the transaction of the change, which runs outside any scope',
  ],
  [
    /select partner\.name from tenants t join tenants partner on partner\.id = t\.parent_id where t\.id = \$1/,
    'a Client sees the name of its Partner, which the Client cannot read',
    'getAccount',
  ],
  [/insert into provider_callbacks/, 'a callback of the sandbox is a separate request'],
]

const isExcepted = (operation: string, text: string): boolean =>
  exceptions.some(([statement, , only = operation]) => only === operation && statement.test(text))

const sentBy = new Map<TenantCall, Sent[]>()
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

test("this test's calls include every operation that tenants other than the Owner may call", () => {
  const known = proceduresOf(appRouter).flatMap(([name, { _def }]) => {
    const { openapi, access, roles } = _def.meta ?? {}
    const isNobodys = access === 'public' || (roles?.length === 1 && roles[0] === 'owner')
    // Subscriptions are not called in this test, because one database query without a tenant scope serves all open
    // pages. live.test.ts tests what each page receives.
    const isStream = _def.type === 'subscription'
    // Procedures about the second factor are not called in this test, because they run without a tenant scope
    // and only for the access token's user.
    const isOfFactor = name.startsWith('secondFactor.')
    return isNobodys || isStream || isOfFactor ? [] : [openapi?.operationId ?? name]
  })
  expect([...new Set(calls.map(([operation]) => operation))].sort()).toEqual([...new Set(known)].sort())
})

test("every database statement in a call runs in the caller's tenant scope, except those listed in this test", () => {
  const outside = new Set<string>()
  let inside = 0
  for (const [[operation, who], sent] of sentBy)
    for (const { text, scope } of sent) {
      // In the support view, a Partner's call reads the Client in the Partner's tenant scope, and the payment in the
      // Client's scope.
      const isSupport = /TenantPayment/.test(operation)
      const whose =
        who === 'partner' && !(isSupport && scope?.[0] === mine.tenantId)
          ? demo.partner.tenant_id
          : mine.tenantId
      // The tenant scope of createTenant contains two tenants, because its statements may also use rows of
      // the tenant that the call creates.
      const size = operation === 'createTenant' ? 2 : 1
      if (scope?.includes(whose) && scope.length === size) inside++
      else if (scope !== undefined || !isExcepted(operation, text))
        outside.add(`${operation}: ${scope} ${text}`)
    }
  expect([...outside]).toEqual([])
  expect(inside).toBeGreaterThan(calls.length)
})

/** Returns the recorded SQL statements of the given callers, each with its caller and without duplicates. */
function statements(...whose: Who[]): { sent: Sent; who: Who }[] {
  const found = new Map<string, { sent: Sent; who: Who }>()
  for (const [[, who], all] of sentBy)
    for (const sent of all)
      if (sent.scope !== undefined && whose.includes(who)) found.set(`${who} ${sent.text}`, { sent, who })
  return [...found.values()]
}

/**
 * Returns an SQL statement's parameters after replacing the IDs in `from` (one merchant's objects) with the
 * IDs in `to` (another merchant's objects).
 */
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

/** Runs a statement and rolls back its changes. Returns the statement's rows in sorted order, or its error. */
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

/** Returns ids that belong to no object. They have the same length as real ids. */
const nobodys = (): Things => ({
  tenantId: newId(),
  paid: newId(),
  paidCode: 'GP261101-0000000000',
  pending: newId(),
  refund: newId(),
  event: newId(),
  endpoint: newId(),
  request: newId(),
  key: newId(),
  user: newId(),
  colleague: newId(),
  invited: newId(),
  session: newId(),
})

describe("statements in a caller's tenant scope read only data in this scope", () => {
  test("in a tenant scope, another tenant's IDs give the same result as unknown IDs", async () => {
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
    // As a control, the test also sends the same statements without a tenant scope. Without the scope, the
    // statements must find the other merchant's rows.
    expect(found).toBeGreaterThan(20)
  })

  test("a tenant scope limits a statement to the tenant's rows even without the statement's own condition", async () => {
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

  test("a tenant scope (a restriction to one tenant's rows) does not change a statement's indexes and conditions", async () => {
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
