// The data that a fuzz run has about the service: the callers, and existing objects with their owners. Objects
// found in each response are added for use in later requests.

import type { TestApp } from '../support/app.ts'
import type { Credential } from './credentials.ts'
import type { FuzzRequest } from './request.ts'
import { codeMarks, Ref, type Thing } from './words.ts'

const lockingOut = new Set(['updateTenant', 'updateTenantLimits', 'setEntitlements', 'setRoutingRules'])

type Owned = { id: unknown; tenantId: string | undefined }

export class World {
  readonly credentials: Credential[] = []
  readonly service: TestApp
  /**
   * The tenants to which the test's callers belong. A request that would lock out one of them is sent for a
   * spare tenant instead, to which no caller belongs.
   */
  readonly actors = new Set<string>()
  /**
   * Tenants to which no caller in the fuzz test belongs. A request that would lock out a tenant is sent for
   * one of these tenants, so that no caller is locked out.
   */
  readonly spareTenants: string[] = []
  /**
   * The provider of each provider account, by the account's ID. Contains the accounts for the callers'
   * payments and the spare accounts.
   */
  readonly accounts = new Map<string, string>()
  readonly spareAccounts = new Map<string, string>()
  readonly credentialsOf = new Map<object, string>()
  readonly #known = new Map<string, Owned[]>()

  constructor(service: TestApp) {
    this.service = service
  }

  learn(thing: Thing | `cursor of ${string}`, id: unknown, tenantId: string | undefined): void {
    if (id === undefined || id === null) return
    const known = this.#known.get(thing) ?? []
    this.#known.set(thing, known)
    if (typeof id !== 'string' || !known.some(each => each.id === id)) known.push({ id, tenantId })
  }

  /**
   * Returns the ID of the object that the reference selects. If no such object is known, returns a nonexistent ID, so
   * that requests for missing objects are tested, too. For an unknown cursor, returns undefined.
   */
  find({ thing, whose, pick }: Ref, operationId: string, caller: Credential): unknown {
    const known = this.#known.get(thing === 'cursor' ? `cursor of ${operationId}` : thing) ?? []
    const isOwner = caller.who?.role === 'owner'
    const own = known.filter(({ tenantId }) => isOwner || tenantId === caller.who?.tenantId)
    const from = whose === 'own' && own.length > 0 ? own : known
    if (from.length === 0) return thing === 'cursor' ? undefined : '01990000-0000-7000-8000-000000000001'
    return from.at(-1 - (pick % from.length))?.id
  }

  /**
   * Replaces the placeholders for IDs in the path with real IDs. Uses the ID of a spare object if the request would
   * otherwise lock out a caller or block its payments.
   */
  aim({ operation, path, wrong }: FuzzRequest, caller: Credential): Record<string, unknown> {
    const { operationId } = operation
    const aimed = Object.fromEntries(
      Object.entries(path).map(([name, value]) => [name, this.resolve(value, operationId, caller)]),
    )
    if (lockingOut.has(operationId) && this.actors.has(String(aimed.tenant_id)) && caller.who)
      aimed.tenant_id = this.spareTenants[operationId.length % this.spareTenants.length]
    // All callers have the tier `enterprise`, so a lower rate limit for this tier would block them. The
    // random requests therefore change the limits of another tier.
    if (operationId === 'updateTierLimits' && aimed.tier === 'enterprise') aimed.tier = 'growth'
    if (operationId === 'updateProviderAccount' && this.accounts.has(String(aimed.account_id)))
      aimed.account_id = [...this.spareAccounts.keys()].at(-1)
    const provider =
      this.accounts.get(String(aimed.account_id)) ?? this.spareAccounts.get(String(aimed.account_id))
    if (provider && wrong !== 'path provider_code') aimed.provider_code = provider
    return aimed
  }

  /** Replaces the credentials in the body with valid ones for the provider in the path. */
  fit(body: unknown, path: Record<string, unknown>): unknown {
    if (typeof body !== 'object' || body === null || !('credentials' in body)) return body
    if (!this.credentialsOf.has(body.credentials as object)) return body
    const fitting = [...this.credentialsOf].find(([, provider]) => provider === path.provider_code)
    return fitting ? { ...body, credentials: fitting[0] } : body
  }

  /** Returns the value with a real ID in place of each reference (a placeholder for an ID). */
  resolve(value: unknown, operationId: string, caller: Credential): unknown {
    if (value instanceof Ref) return this.find(value, operationId, caller)
    if (typeof value === 'string')
      return value.replace(codeMarks, (_, pick) =>
        String(this.find(new Ref('payment_code', 'any', Number(pick)), operationId, caller)),
      )
    if (Array.isArray(value)) return value.map(each => this.resolve(each, operationId, caller))
    if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype)
      return Object.fromEntries(
        Object.entries(value).map(([name, each]) => [name, this.resolve(each, operationId, caller)]),
      )
    return value
  }
}

/** Stores the objects in a successful response, so that later requests can refer to them. */
export function learnFrom(
  world: World,
  operationId: string,
  caller: Credential,
  path: Record<string, unknown>,
  data: unknown,
): void {
  const thing = learned[operationId]
  const { items, next_cursor } = (data ?? {}) as { items?: unknown[]; next_cursor?: string | null }
  world.learn(`cursor of ${operationId}`, next_cursor, caller.who?.tenantId)
  const each = (next_cursor === undefined ? [data] : items?.toReversed()) as Record<string, unknown>[]
  for (const record of each) {
    if (typeof record !== 'object' || record === null) continue
    const tenantId = String(record.tenant_id ?? path.tenant_id ?? caller.who?.tenantId)
    if (thing) world.learn(thing, record.id ?? record.payment_id, tenantId)
    if (thing === 'payment') {
      world.learn('payment_code', record.payment_code, tenantId)
      world.learn('idempotency_key', record.idempotency_key, tenantId)
    }
    world.learn('refresh_token', record.refresh_token, caller.who?.tenantId)
  }
}

const learned: Record<string, Thing> = {
  createPayment: 'payment',
  listPayments: 'payment',
  listWebhookDeliveries: 'event',
  createTenant: 'tenant',
  createApiKey: 'key',
  listUnexpectedMoney: 'money',
  listProviderCallbacks: 'callback',
  listUnknownPayments: 'unknown_payment',
}
