// Names the schemas of inner objects, successful responses and repeated enumerations in the API document. Otherwise,
// code generators would invent names such as `InlineObject12`.

import { modeChoices } from '../api/chosen-mode.ts'
import { keyScopes } from '../auth/api-keys/scope.ts'
import { permissions } from '../auth/users/permission.ts'
import { shownUserStatuses } from '../auth/users/user-view.ts'
import { logoTypes } from '../branding/branding-input.ts'
import { callbackStatuses } from '../callbacks/callback.sql.ts'
import { errorCodes } from '../faults/errors.ts'
import { entryTypes } from '../ledger/transfer.ts'
import { listedMethodTypes, methodTypes } from '../payments/method.ts'
import { shownStatuses } from '../payments/payment.ts'
import { refundMethods, refundOrigins, refundStatuses } from '../payments/record/refund.ts'
import { unexpectedKinds, unexpectedStatuses } from '../payments/record/unexpected-money.ts'
import { circuitStates } from '../provider-accounts/circuit-breaker.ts'
import { differenceKinds, pairs } from '../reports/difference.ts'
import { reconciliationSources } from '../reports/reconciliation-report.ts'
import { lineStatuses } from '../settlements/settlement-line.ts'
import { roles, tenantStatuses, tiers } from '../tenants/tenant.ts'
import { modes } from '../values/mode.ts'
import { schedules } from '../webhooks/additional/retry-schedule.ts'
import { deliveryStatuses } from '../webhooks/event.ts'
import { eventTypes } from '../webhooks/event-type.ts'

type Json = Record<string, unknown>
type Described = { operationId: string; parameters?: Json[]; responses: Record<string, Json> }
type Paths = Record<string, Record<string, Described>>

const sharedEnums: Record<string, readonly string[]> = {
  CallbackStatus: callbackStatuses,
  CircuitState: circuitStates,
  DeliverySchedule: schedules,
  DeliveryStatus: deliveryStatuses,
  DifferenceBetween: pairs,
  DifferenceKind: differenceKinds,
  DifferenceSource: ['settlement', 'inquiry'],
  EntryType: entryTypes,
  ErrorCode: errorCodes,
  EventType: eventTypes,
  KeyScope: keyScopes,
  ListedMethodType: listedMethodTypes,
  LogoType: logoTypes,
  MethodType: methodTypes,
  Mode: modes,
  ModeChoice: modeChoices,
  PaymentStatus: shownStatuses,
  ReconciliationSource: reconciliationSources,
  RefundMethod: refundMethods,
  RefundOrigin: refundOrigins,
  RefundStatus: refundStatuses,
  SettlementLineStatus: lineStatuses,
  TenantRole: roles,
  TenantStatus: tenantStatuses,
  TenantTier: tiers,
  TextEncoding: ['utf8', 'base64'],
  Permission: permissions,
  UnexpectedMoneyKind: unexpectedKinds,
  UnexpectedMoneyStatus: unexpectedStatuses,
  UserStatus: shownUserStatuses,
}
const enumNames = new Map(Object.entries(sharedEnums).map(([name, values]) => [JSON.stringify(values), name]))

const prefix = '#/components/schemas/'
const refTo = (name: string): Json => ({ $ref: `${prefix}${name}` })

/**
 * Returns the OpenAPI components, with a name for each schema. Changes the operations so that they refer to these
 * components.
 */
export function nameSchemas(schemas: Record<string, Json>, paths: Paths): Record<string, Json> {
  const named: Record<string, Json> = {}
  const add = (name: string, schema: Json): Json => {
    const known = named[name]
    if (known && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`two schemas would get the name ${name}; give one of them an id`)
    named[name] = schema
    return refTo(name)
  }
  for (const [name, values] of Object.entries(sharedEnums)) add(name, { type: 'string', enum: values })
  for (const [name, schema] of Object.entries(schemas)) add(name, inside(schema, name, add))
  for (const operation of Object.values(paths).flatMap(each => Object.values(each))) {
    for (const parameter of operation.parameters ?? [])
      if (parameter.schema) parameter.schema = part(parameter.schema as Json, '', add)
    nameEnvelope(operation, add)
  }
  for (const [name, schema] of Object.entries(named)) named[name] = discriminated(schema, named)
  return Object.fromEntries(Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1)))
}

type Add = (name: string, schema: Json) => Json

/**
 * Operations that return the same data share one envelope schema. The schema's name does not end in `Response`, because
 * Go generators use such names for their own types.
 */
function nameEnvelope({ operationId, responses }: Described, add: Add): void {
  const content = (responses['200']?.content as Record<string, { schema: Json }> | undefined)?.[
    'application/json'
  ]
  const properties = content?.schema.properties as Record<string, Json> | undefined
  if (!content || !properties?.data) return
  const data = part(properties.data, `${pascal(operationId)}Result`, add)
  const items = data.items as Json | undefined
  const subject = nameIn(data) ?? (items && `${nameIn(items)}List`) ?? pascal(operationId)
  content.schema = add(`${subject}Envelope`, { ...content.schema, properties: { ...properties, data } })
}

const nameIn = ({ $ref }: Json): string | undefined =>
  typeof $ref === 'string' ? $ref.slice(prefix.length) : undefined

/**
 * Returns the schema with its objects named. An object schema becomes a component called `name`, and a reference
 * replaces it. A reference also replaces an enumeration that has a component. In any other schema, the objects
 * inside it are replaced.
 */
function part(schema: Json, name: string, add: Add): Json {
  const enumName = schema.type === 'string' && enumNames.get(JSON.stringify(schema.enum))
  if (enumName) {
    const { type: _, enum: __, ...beside } = schema
    return { ...refTo(enumName), ...beside }
  }
  if (schema.type !== 'object' || !schema.properties) return inside(schema, name, add)
  return add(name, inside(schema, name, add))
}

/**
 * Replaces each object inside the schema with a reference to a component of the API document. The name of
 * this component begins with `name`.
 */
function inside(schema: Json, name: string, add: Add): Json {
  const result = { ...schema }
  if (schema.properties)
    result.properties = Object.fromEntries(
      Object.entries(schema.properties as Record<string, Json>).map(([field, each]) => [
        field,
        part(each, `${name}${pascal(field)}`, add),
      ]),
    )
  if (isSchema(schema.items)) result.items = part(schema.items, singular(name), add)
  if (isSchema(schema.additionalProperties))
    result.additionalProperties = part(schema.additionalProperties, singular(name), add)
  for (const keyword of ['oneOf', 'anyOf'])
    if (Array.isArray(schema[keyword]))
      result[keyword] = (schema[keyword] as Json[]).map(each => part(each, `${name}${constantOf(each)}`, add))
  // A part of a schema's `allOf` list is not a separate object. It only describes some fields of the schema's
  // object.
  if (Array.isArray(schema.allOf))
    result.allOf = (schema.allOf as Json[]).map(each => inside(each, name, add))
  return result
}

/**
 * If the schema is a choice between alternatives (`oneOf`), adds a discriminator: a field that has a
 * different constant in each alternative.
 */
function discriminated(schema: Json, schemas: Record<string, Json>): Json {
  const names = ((schema.oneOf ?? []) as Json[]).map(nameIn)
  if (schema.discriminator || names.length === 0 || names.includes(undefined)) return schema
  const constants = names.map(name => constantOf(schemas[name as string] as Json, false))
  if (constants.includes('') || new Set(constants).size < constants.length) return schema
  const mapping = Object.fromEntries(constants.map((value, index) => [value, `${prefix}${names[index]}`]))
  return { ...schema, discriminator: { propertyName: 'type', mapping } }
}

/**
 * Returns the constant value of a schema's field `type`. If a schema has alternatives (`oneOf`), this value
 * names each alternative and distinguishes it from the others.
 */
function constantOf(schema: Json, asName = true): string {
  const { type } = (schema.properties ?? {}) as Record<string, Json>
  const value = typeof type?.const === 'string' ? type.const : ''
  return asName ? pascal(value) : value
}

const isSchema = (value: unknown): value is Json => typeof value === 'object' && value !== null
const singular = (name: string): string => name.replace(/ies$/, 'y').replace(/([^s])s$/, '$1')
const pascal = (name: string): string =>
  name
    .split(/[^a-zA-Z0-9]+/)
    .filter(Boolean)
    .map(word => `${word[0]?.toUpperCase()}${word.slice(1)}`)
    .join('')
