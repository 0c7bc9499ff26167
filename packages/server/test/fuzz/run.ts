// Runs one case of a fuzz run: sends a request as a caller and checks the response.

import fc from 'fast-check'
import { Client } from 'undici'
import { atEnd } from '../support/at-end.ts'
import { type Credential, tokenOf } from './credentials.ts'
import { faultsOf, type Whose } from './judge.ts'
import { type Documentation, lookup, operations } from './operations.ts'
import { ownersIn } from './owners.ts'
import { type FuzzRequest, requestOf } from './request.ts'
import type { Tally } from './tally.ts'
import { type Answer, curlOf, send, sentOf } from './wire.ts'
import { knownOf } from './words.ts'
import { learnFrom, type World } from './world.ts'

export type Case = { request: FuzzRequest; caller: string }

export function casesOf(world: World): fc.Arbitrary<Case> {
  return fc.constantFrom(...operations).chain(operation =>
    fc.record({
      request: requestOf(operation, { known: knownOf(operation.operationId), lookup }),
      caller: callerOf(world, operation),
    }),
  )
}

/**
 * Chooses the caller of an operation. The caller usually has the kind of credential that the operation needs, and
 * sometimes another kind.
 */
function callerOf({ credentials }: World, { schemes }: Documentation): fc.Arbitrary<string> {
  const kinds: unknown[] = schemes.map(scheme => (scheme === 'ApiKeyAuth' ? 'key' : 'jwt'))
  const fitting = credentials.filter(({ who }) => kinds.length === 0 || kinds.includes(who?.kind))
  const oneOf = (some: Credential[]) => fc.constantFrom(...some.map(({ name }) => name))
  return fc.oneof(
    { weight: 4, arbitrary: oneOf(fitting) },
    {
      weight: 2,
      arbitrary: fitting.some(({ name }) => name === 'owner') ? fc.constant('owner') : oneOf(fitting),
    },
    { weight: 1, arbitrary: oneOf(credentials) },
  )
}

/** How often a run renews its access tokens, which expire after 15 minutes. */
const RENEW_AFTER_MS = 5 * 60_000

/**
 * Returns a function that runs one case. If the response violates a rule, the function throws an error that contains a
 * curl command to repeat the request.
 */
export function runner(world: World, tally: Tally): (each: Case) => Promise<void> {
  const { app, demo } = world.service
  const client = new Client(demo.base_url)
  atEnd(() => client.close())
  const ownersOf = ownersIn(app.db)
  const secrets = secretsOf(world)
  let renewedAt = Date.now()
  return async ({ request, caller: name }) => {
    if (Date.now() - renewedAt > RENEW_AFTER_MS) {
      await renewTokens(world)
      renewedAt = Date.now()
    }
    const caller = world.credentials.find(each => each.name === name) as Credential
    const sent = sentOf(world, request, caller)
    const answer = await send(client, sent)
    const { operationId } = request.operation
    tally.count(operationId, answer.status)
    const faults = await faultsOf({
      ...{ sent, answer, caller, secrets, ownersOf, origin: demo.base_url, operation: request.operation },
      mayBeShown: (owner, word) => isShownTo(world, caller, operationId, owner, word),
    })
    if (faults.length > 0)
      throw new Error(
        [
          `${operationId} returned a faulty response to the caller ${name}; mutated part of the request: ${request.wrong ?? 'none'}`,
          ...faults.map(fault => `- ${fault}`),
          `${answer.status} ${answer.text.slice(0, 1_000)}`,
          curlOf(demo.base_url, sent),
        ].join('\n'),
      )
    if (answer.status === 200 && isJson(answer))
      learnFrom(world, operationId, caller, world.aim(request, caller), JSON.parse(answer.text).data)
  }
}

const isJson = ({ headers }: Answer): boolean =>
  String(headers['content-type']).startsWith('application/json')

/**
 * Returns whether the response may show the owner's data to the caller. A login may show its user's data to
 * any caller, because the caller knows this user's password. The fuzz run knows only the passwords of users
 * of spare tenants, to which no caller belongs.
 */
function isShownTo(
  { service: { demo }, actors }: World,
  { who }: Credential,
  operationId: string,
  { tenantId, parentId }: Whose,
  name: string,
): boolean {
  if (operationId === 'login' || operationId === 'refresh') return !actors.has(tenantId)
  if (who === undefined) return false
  if (who.role === 'owner' || tenantId === who.tenantId) return true
  if (who.role === 'partner') return parentId === who.tenantId
  // A tenant may see the id of its parent (the Partner that manages the tenant).
  return who.tenantId === demo.client.tenant_id && name === demo.partner.tenant_id
}

/**
 * Maps each string that belongs to only one tenant to this tenant. Only this tenant and the users who manage
 * it may receive the string in a response.
 */
function secretsOf({ service: { demo } }: World): Map<string, Whose> {
  const { client, client2, owner, partner } = demo
  return new Map(
    [client, client2, owner, partner].flatMap(({ tenant_id: tenantId, ...words }) => {
      const parentId = tenantId === client.tenant_id ? partner.tenant_id : null
      return Object.values(words).map(word => [word, { tenantId, parentId }] as const)
    }),
  )
}

async function renewTokens({ credentials, service: { app } }: World): Promise<void> {
  for (const credential of credentials)
    if (credential.who?.kind === 'jwt') credential.header = await tokenOf(app, credential.who)
}
