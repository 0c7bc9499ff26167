// Generates values that a JSON Schema in the OpenAPI document allows, as fast-check arbitraries. Supports only
// the JSON Schema keywords in our document, and throws an error for any other keyword.

import fc from 'fast-check'

export type Schema = {
  $ref?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: unknown
  propertyNames?: unknown
  items?: Schema
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  default?: unknown
  example?: unknown
  description?: string
  discriminator?: unknown
}

/**
 * Returns a special generator of values for properties with this name, for example one that generates existing IDs.
 * Returns undefined if there is no special generator.
 */
export type Known = (name: string) => fc.Arbitrary<unknown> | undefined
export type Lookup = (ref: string) => Schema
type Around = { lookup: Lookup; known?: Known }

const words = new Set([
  ...['$ref', 'type', 'const', 'enum', 'anyOf', 'oneOf', 'properties', 'required', 'additionalProperties'],
  ...[
    'propertyNames',
    'items',
    'minItems',
    'maxItems',
    'minimum',
    'maximum',
    'minLength',
    'maxLength',
    'pattern',
    'format',
  ],
  ...['default', 'example', 'description', 'discriminator'],
])

/**
 * The maximum number of generated list items, and the maximum length of generated text. Longer values would find no
 * further errors, because mutations (changes to valid requests) already test the documented limits.
 */
const MANY = 4
const LONG = 40

export function validOf(schema: Schema, around: Around, name?: string): fc.Arbitrary<unknown> {
  const known = name === undefined ? undefined : around.known?.(name)
  const plain = plainOf(schema, around)
  return known ? fc.oneof({ weight: 9, arbitrary: known }, { weight: 1, arbitrary: plain }) : plain
}

function plainOf(schema: Schema, around: Around): fc.Arbitrary<unknown> {
  const unknown = Object.keys(schema).filter(word => !words.has(word))
  if (unknown.length > 0)
    throw new Error(`the generator does not support these keywords of the schema: ${unknown.join(', ')}`)
  if (schema.$ref !== undefined) return plainOf(around.lookup(schema.$ref), around)
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  const members = schema.oneOf ?? schema.anyOf
  if (members) return fc.oneof(...members.map(member => plainOf(member, around)))
  const types = typesOf(schema)
  const made = fc.oneof(...types.map(type => ofType(type, schema, around)))
  return schema.example === undefined || types.includes('object')
    ? made
    : fc.oneof({ weight: 2, arbitrary: made }, { weight: 1, arbitrary: fc.constant(schema.example) })
}

export const typesOf = ({ type }: Schema): string[] =>
  Array.isArray(type) ? type : type === undefined ? ['anything'] : [type]

function ofType(type: string, schema: Schema, around: Around): fc.Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return integerOf(schema)
    case 'string':
      return textOf(schema)
    case 'array':
      return fc.array(validOf(schema.items ?? {}, around), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? MANY, MANY),
      })
    case 'object':
      return objectOf(schema, around)
    case 'anything':
      return fc.jsonValue({ maxDepth: 2 })
    default:
      throw new Error(`the generator does not support the type ${type}`)
  }
}

function integerOf({ minimum = -1_000_000, maximum = 1_000_000 }: Schema): fc.Arbitrary<number> {
  return fc.oneof(fc.integer({ min: minimum, max: maximum }), fc.constantFrom(minimum, maximum))
}

function textOf({ format, pattern, minLength = 0, maxLength = LONG }: Schema): fc.Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern), { maxLength: LONG })
  switch (format) {
    case 'uuid':
      return fc.uuid()
    case 'date':
      return moments.map(at => at.toISOString().slice(0, 10))
    case 'date-time':
      return moments.map(at => at.toISOString())
    case 'uri':
      return fc.webUrl({ validSchemes: ['https'] }).filter(url => url.length <= maxLength)
    case 'ipv4':
      return fc.ipV4()
    case 'ipv6':
      return fc.ipV6()
    case undefined:
    case 'binary':
      return fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, LONG)) })
    default:
      throw new Error(`the test data generator does not support the schema format ${format}`)
  }
}
const moments = fc.date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })

function objectOf(schema: Schema, around: Around): fc.Arbitrary<object> {
  const properties = Object.entries(schema.properties ?? {})
  if (properties.length === 0 && schema.additionalProperties !== undefined)
    return fc.dictionary(fc.string({ maxLength: 10 }), fc.string({ maxLength: LONG }), { maxKeys: 3 })
  return fc.record(
    Object.fromEntries(properties.map(([name, property]) => [name, validOf(property, around, name)])),
    { requiredKeys: schema.required ?? [], noNullPrototype: true },
  )
}
