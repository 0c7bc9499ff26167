// Calls every procedure in the router with every permission and role, and compares the results with a handwritten
// table. access-matrix.heavy.test.ts tests calls without a credential, with an API key, and across tenants.

import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../src/api/context.ts'
import { admitted, requireRecentProof } from '../../src/api/trpc.ts'
import { createUser } from '../../src/auth/users/create-user.ts'
import { type Permission, permissions } from '../../src/auth/users/permission.ts'
import { GatewayError } from '../../src/faults/errors.ts'
import { appRouter, proceduresOf } from '../../src/router.ts'
import { roles } from '../../src/tenants/tenant.ts'
import { newId } from '../../src/values/id.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { atOnce, http, logIn, until } from '../support/merchant.ts'
import { usersOf } from '../support/user.ts'

type May = readonly Permission[] | 'without login' | 'key only'

const everyone = permissions
const admins = ['admin'] as const
const developers = ['admin', 'developer'] as const
const finance = ['admin', 'finance'] as const
const helpers = ['admin', 'developer', 'support'] as const

/**
 * The permissions that allow a user to call each procedure. Some procedures instead need no login, or only an API key.
 */
const table: Record<string, May> = {
  'payments.create': 'key only',
  'payments.list': everyone,
  'payments.get': everyone,
  'payments.standing': everyone,
  'payments.cancel': finance,
  'payments.ledger': everyone,
  'payments.timeline': everyone,
  'payments.attempts': everyone,
  'payments.resolve': finance,
  'methods.activeMethods': everyone,
  'methods.channels': everyone,
  'auth.login': 'without login',
  'auth.completeLogin': 'without login',
  'auth.refresh': 'without login',
  'auth.logout': 'without login',
  'auth.requestPasswordReset': 'without login',
  'auth.confirmPasswordReset': 'without login',
  'auth.acceptInvitation': 'without login',
  'session.open': 'without login',
  'session.renew': 'without login',
  'session.close': 'without login',
  'session.requestPasswordReset': 'without login',
  'session.complete': 'without login',
  'session.passkeyOptions': 'without login',
  'session.completeWithPasskey': 'without login',
  'secondFactor.get': everyone,
  'secondFactor.startTotp': everyone,
  'secondFactor.confirmTotp': everyone,
  'secondFactor.removeTotp': everyone,
  'secondFactor.renewRecoveryCodes': everyone,
  'secondFactor.confirm': everyone,
  'secondFactor.removePasskey': everyone,
  'secondFactor.require': admins,
  'secondFactor.startPasskey': everyone,
  'secondFactor.finishPasskey': everyone,
  'secondFactor.passkeyOptions': everyone,
  'secondFactor.confirmPasskey': everyone,
  'notifications.get': everyone,
  'notifications.update': everyone,
  'branding.get': everyone,
  'branding.set': admins,
  'sessions.list': everyone,
  'sessions.end': everyone,
  'sessions.endOthers': everyone,
  'account.balance': everyone,
  'account.entries': everyone,
  'account.seal': everyone,
  'webhooks.endpoint': developers,
  'webhooks.configure': developers,
  'webhooks.rotateSecret': developers,
  'webhooks.test': developers,
  'webhooks.deliveries': helpers,
  'webhooks.redeliverFailed': helpers,
  'webhooks.delivery': helpers,
  'webhooks.redeliver': helpers,
  'webhookEndpoints.list': helpers,
  'webhookEndpoints.create': developers,
  'webhookEndpoints.get': developers,
  'webhookEndpoints.update': developers,
  'webhookEndpoints.delete': developers,
  'webhookEndpoints.rotateSecret': developers,
  'webhookEndpoints.deliveries': helpers,
  'webhookEndpoints.delivery': helpers,
  'webhookEndpoints.redeliver': helpers,
  'listen.events': developers,
  'live.changes': everyone,
  'live.recent': everyone,
  'audit.list': admins,
  'callbacks.list': helpers,
  'callbacks.rejected': helpers,
  'callbacks.reprocess': developers,
  'challengedPayments.list': everyone,
  'unexpectedMoney.list': everyone,
  'unexpectedMoney.get': everyone,
  'unexpectedMoney.accept': finance,
  'unexpectedMoney.assign': finance,
  'unexpectedMoney.refund': finance,
  'unexpectedMoney.dismiss': finance,
  'unknownPayments.list': everyone,
  'unknownPayments.inquire': ['admin', 'finance', 'support'],
  'unknownPayments.resolve': finance,
  'ledgerVerification.get': everyone,
  'reconciliation.listRuns': everyone,
  'reconciliation.listDifferences': everyone,
  'reconciliation.closeDifference': finance,
  'reports.payments': everyone,
  'reports.reconciliation': finance,
  'reports.books': finance,
  'refunds.create': finance,
  'refunds.ofPayment': everyone,
  'refunds.list': everyone,
  'refunds.get': everyone,
  'refunds.listDetails': everyone,
  'refunds.resolve': finance,
  'fees.own': everyone,
  'fees.previewOwn': everyone,
  'fees.ofTenant': everyone,
  'fees.setOfTenant': admins,
  'fees.previewOfTenant': everyone,
  'fees.pricedTenants': everyone,
  'fees.history': everyone,
  'feeReports.report': finance,
  'feeReports.ownStatement': finance,
  'feeReports.statementOfTenant': finance,
  'requests.list': helpers,
  'requests.get': helpers,
  'tenants.list': everyone,
  'tenants.create': admins,
  'tenants.get': everyone,
  'tenants.update': admins,
  'tenants.account': everyone,
  'limits.ofTiers': everyone,
  'limits.updateTier': admins,
  'limits.resetTier': admins,
  'limits.ofTenant': everyone,
  'limits.updateTenant': admins,
  'limits.resetTenant': admins,
  'keys.list': developers,
  'keys.create': developers,
  'keys.createForSession': developers,
  'keys.update': developers,
  'keys.revoke': developers,
  'keys.rotate': developers,
  'keys.listOwn': developers,
  'users.list': everyone,
  'users.create': admins,
  'users.listOwn': everyone,
  'users.update': admins,
  'users.remove': admins,
  'users.resendInvitation': admins,
  'users.resetSecondFactor': admins,
  'users.changePassword': everyone,
  'routes.entitlements': everyone,
  'routes.setEntitlements': admins,
  'routes.rules': everyone,
  'routes.preview': everyone,
  'routes.setRules': admins,
  'providers.providers': everyone,
  'providers.health': everyone,
  'providers.list': everyone,
  'providers.create': admins,
  'providers.update': admins,
  'settlements.upload': finance,
  'settlements.list': everyone,
  'settlements.lines': finance,
  'support.payments': everyone,
  'support.find': everyone,
  'support.payment': everyone,
  'support.timeline': everyone,
  'support.attempts': everyone,
  'support.callbacks': everyone,
  'support.deliveries': everyone,
  'support.refunds': everyone,
  'customers.erase': admins,
}

/**
 * Procedures that need a recent second-factor confirmation if the user has a second factor. `refunds.create` needs
 * the confirmation only above an amount (refund-proof.heavy.test.ts).
 */
const stepUp = new Set([
  'payments.resolve',
  'refunds.resolve',
  'unexpectedMoney.accept',
  'unexpectedMoney.assign',
  'unexpectedMoney.refund',
  'unexpectedMoney.dismiss',
  'unknownPayments.resolve',
  'webhooks.rotateSecret',
  'webhookEndpoints.rotateSecret',
  'keys.create',
  'keys.update',
  'keys.rotate',
  'users.create',
  'users.update',
  'users.remove',
  'users.resetSecondFactor',
  'providers.create',
  'providers.update',
  'secondFactor.startTotp',
  'secondFactor.confirmTotp',
  'secondFactor.removeTotp',
  'secondFactor.renewRecoveryCodes',
  'secondFactor.removePasskey',
  'secondFactor.require',
  'secondFactor.startPasskey',
  'secondFactor.finishPasskey',
])
/** Procedures that a user may call before adding a second factor, even if the tenant requires one. */
const beforeEnrolment = /^(tenants\.account|users\.changePassword|secondFactor\.(?!require)|sessions\.)/

let service: TestApp
/** The access tokens of the test users. There is one user for each combination of role and permission. */
const tokens = new Map<string, string>()

beforeAll(async () => {
  service = await testApp()
  const { app, demo } = service
  await Promise.all(
    roles.flatMap(role =>
      permissions.map(async permission => {
        const user = { email: `${randomUUID()}@example.com`, password: 'correct horse battery' }
        const tenantId = demo[role].tenant_id
        await createUser(app, null, tenantId, { ...user, permissions: [permission] })
        tokens.set(`${role} ${permission}`, await logIn(demo, user))
      }),
    ),
  )
})

test('the permission table has exactly one row for each API procedure', () => {
  expect(Object.keys(table).toSorted()).toEqual(
    proceduresOf(appRouter)
      .map(([name]) => name)
      .toSorted(),
  )
})

/**
 * The states of a user's second factor. In some of these states, a call is rejected even if the user has the permission
 * that the call needs.
 */
const states = {
  'no factor': { hasSecondFactor: false, provenAt: null, mustEnrol: false },
  'recent proof': { hasSecondFactor: true, provenAt: new Date(), mustEnrol: false },
  'old proof': { hasSecondFactor: true, provenAt: new Date(Date.now() - 16 * 60_000), mustEnrol: false },
  'must enrol': { hasSecondFactor: false, provenAt: null, mustEnrol: true },
}

test.each(proceduresOf(appRouter).map(([name, procedure]) => [name, procedure._def.meta ?? {}] as const))(
  'the procedure %s can be called with exactly the permissions that this test lists, in every role and with every state of the second factor',
  async (name, meta) => {
    const may = table[name]
    if (may === 'without login' || may === 'key only') {
      expect(meta.access).toBe(may === 'key only' ? 'api_key' : 'public')
      return
    }
    const limits = {} as Caller['limits']
    for (const role of roles)
      for (const permission of permissions)
        for (const [state, facts] of Object.entries(states)) {
          const caller = {
            ...({ kind: 'user', role, tier: 'growth', limits, ...facts } as const),
            ...{
              tenantId: newId(),
              partnerId: null,
              userId: newId(),
              sessionId: newId(),
              permissions: [permission],
            },
          }
          const app = { ...service.app, readSession: async () => ({ ...facts }) as never }
          const expected = () => {
            if (meta.roles?.length && !meta.roles.includes(role)) return 'role_not_allowed'
            if (!may?.includes(permission)) return 'permission_missing'
            if (state === 'must enrol' && !beforeEnrolment.test(name)) return 'second_factor_needed'
            return state === 'old proof' && stepUp.has(name) ? 'second_factor_stale' : 'in'
          }
          const met = await outcomeOf(async () => {
            admitted(meta, { caller })
            if (meta.stepUp) await requireRecentProof({ app, caller })
          })
          expect([role, permission, state, met]).toEqual([role, permission, state, expected()])
        }
  },
)

async function outcomeOf(run: () => Promise<void>): Promise<string> {
  try {
    await run()
    return 'in'
  } catch (error) {
    if (error instanceof GatewayError) return error.fault
    throw error
  }
}

/** IDs of objects that do not exist, so that a call with them changes nothing even if it is authorized. */
const absent: Record<string, string> = { date: '2026-01-01', tier: 'growth', provider_code: 'nobody' }
/**
 * HTTP methods whose requests have a body. The test sends a malformed body, so that a call changes nothing
 * even if it is authorized.
 */
const withBody = new Set(['POST', 'PUT', 'PATCH'])

test('every REST operation rejects users without permission with 403 before it reads the body', async () => {
  const calls = proceduresOf(appRouter).flatMap(([name, { _def }]) => {
    const { openapi, roles: allowed = [] } = _def.meta ?? {}
    const may = table[name]
    if (!openapi || typeof may === 'string' || may === undefined) return []
    const path = openapi.path.replace(/\{(\w+)\}/g, (_, key: string) => absent[key] ?? newId())
    return [...tokens].flatMap(([who, auth]) => {
      const [role, permission] = who.split(' ') as [(typeof roles)[number], Permission]
      const isIn = (allowed.length === 0 || allowed.includes(role)) && may.includes(permission)
      // Skips DELETE requests that the user is allowed to make. Such a request has no body that the test could make
      // malformed, so the request could delete something.
      return isIn && openapi.method === 'DELETE'
        ? []
        : [{ name, who, auth, isIn, path, method: openapi.method }]
    })
  })
  await atOnce(8, calls, async ({ name, who, auth, isIn, path, method }) => {
    const { status, error, text } = await http(method, `${service.demo.base_url}${path}?wait_seconds=0`, {
      auth,
      ...(withBody.has(method) && { raw: '{"' }),
    })
    expect([name, who, status === 403], text).toEqual([name, who, !isIn])
    if (status === 403) expect(error.message).toMatch(/the role|the permission/)
  })
})

test('exporting payments requires the `finance` permission, but listing payments does not', async () => {
  const list = (permission: Permission, accept: string) =>
    http('GET', `${service.demo.base_url}/v1/payments`, {
      auth: tokens.get(`client ${permission}`) ?? '',
      headers: { accept },
    })
  for (const permission of permissions) {
    const isFinance = permission === 'admin' || permission === 'finance'
    expect((await list(permission, 'application/json')).status).toBe(200)
    for (const type of ['text/csv', 'application/x-ndjson'])
      expect([permission, (await list(permission, type)).status]).toEqual([permission, isFinance ? 200 : 403])
  }
})

test('a changed user permission applies even to access tokens that were issued earlier', async () => {
  const { app, demo } = service
  const user = { email: `${randomUUID()}@example.com`, password: 'correct horse battery' }
  const { id } = await createUser(app, null, demo.client.tenant_id, {
    ...user,
    permissions: ['support', 'finance'],
  })
  const auth = await logIn(demo, user)
  const claims = JSON.parse(Buffer.from(auth.split('.')[1] ?? '', 'base64url').toString())
  expect(claims).toMatchObject({ sub: demo.client.tenant_id, role: 'client', tier: 'enterprise' })
  expect(claims.permissions).toEqual(['support', 'finance'])
  const keys = () => http('GET', `${demo.base_url}/v1/account/api-keys`, { auth })
  expect((await keys()).status).toBe(403)
  await app.db.raw(`update users set permissions = '{developer}' where id = ?`, [id])
  await until('the new permission is in force', async () => (await keys()).status === 200)
})

test('a user created without a permission is an admin', async () => {
  const session = await usersOf(service).startSession()
  const { data } = await http('GET', `${service.demo.base_url}/v1/account`, {
    auth: `Bearer ${session.access_token}`,
  })
  expect(data.user.permissions).toEqual(['admin'])
})
