// Converts a schema in the API document to a list of fields. Each field describes one property: its type, its
// limits and its description.

import { type OpenApi, resolve, type Schema } from './document.ts'

export type Field = {
  name: string
  type: string
  required: boolean
  description: string
  limits: string[]
  children: Fields
}
/**
 * The fields of an object. `common` contains the fields that all variants of the object have. `variants`
 * contains the additional fields of each variant.
 */
export type Fields = { common: Field[]; variants: { name: string; fields: Field[] }[] }

const none: Fields = { common: [], variants: [] }
const DEEPEST = 6

/** Returns the fields of an object. If the schema is a list, returns the fields of the objects in the list. */
export function fieldsOf(openapi: OpenApi, written: Schema, depth = 0): Fields {
  if (depth > DEEPEST) return none
  const schema = merged(openapi, written)
  if (schema.items) return fieldsOf(openapi, schema.items, depth)
  const variants = (schema.oneOf ?? schema.anyOf ?? []).map(each => merged(openapi, each))
  const objects = variants.filter(({ properties }) => properties)
  if (objects.length > 1) return fieldsOfVariants(openapi, objects, depth)
  const [{ properties = {}, required = [] } = {}] = objects.length === 1 ? objects : [schema]
  const common = Object.entries(properties).map(([name, each]) =>
    fieldOf(openapi, name, each, required.includes(name), depth),
  )
  return { common, variants: [] }
}

function fieldsOfVariants(openapi: OpenApi, variants: Schema[], depth: number): Fields {
  const names = Object.keys(variants[0]?.properties ?? {})
  const isCommon = (name: string) =>
    new Set(variants.map(each => JSON.stringify([each.properties?.[name], each.required?.includes(name)])))
      .size === 1
  const common = names.filter(isCommon)
  const field = (schema: Schema, name: string) =>
    fieldOf(openapi, name, schema.properties?.[name] ?? {}, schema.required?.includes(name) ?? false, depth)
  return {
    common: common.map(name => field(variants[0] as Schema, name)),
    variants: variants.map(schema => ({
      name: nameOf(schema, common),
      fields: Object.keys(schema.properties ?? {})
        .filter(name => !common.includes(name))
        .map(name => field(schema, name)),
    })),
  }
}

/**
 * Returns the name of a variant: its constant fields and their values, which distinguish it from the other
 * variants.
 */
const nameOf = ({ properties = {} }: Schema, common: string[]): string =>
  Object.entries(properties)
    .filter(([name, each]) => each.const !== undefined && !common.includes(name))
    .map(([name, each]) => `\`${name} = ${each.const}\``)
    .join(', ')

function fieldOf(openapi: OpenApi, name: string, written: Schema, required: boolean, depth: number): Field {
  const schema = merged(openapi, written)
  return {
    name,
    type: typeOf(openapi, schema),
    required,
    description: written.description ?? schema.description ?? '',
    limits: limitsOf(openapi, schema),
    children: fieldsOf(openapi, schema, depth + 1),
  }
}

/** Resolves a reference to a schema, and merges the parts of an `allOf` into one schema. */
function merged(openapi: OpenApi, written: Schema): Schema {
  const schema: Schema = resolve(openapi, written)
  if (!schema.allOf) return schema
  const parts = schema.allOf.map(each => merged(openapi, each))
  return Object.assign({}, ...parts, {
    properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
    required: parts.flatMap(({ required = [] }) => required),
  })
}

export function typeOf(openapi: OpenApi, written: Schema): string {
  const schema = merged(openapi, written)
  const variants = schema.oneOf ?? schema.anyOf
  if (variants) return [...new Set(variants.map(each => typeOf(openapi, each)))].join(' or ')
  if (schema.items) return `array of ${typeOf(openapi, schema.items)}`
  const types = [schema.type ?? (schema.properties ? 'object' : typeof schema.const)].flat()
  return types.map(type => (type === 'string' ? (formats[schema.format ?? ''] ?? type) : type)).join(' or ')
}

const formats: Record<string, string> = {
  date: 'date',
  'date-time': 'timestamp',
  uuid: 'UUID',
  uri: 'URL',
  email: 'email address',
  binary: 'file',
}

/** Returns the limits that a schema sets for a value, such as its maximum length, as sentences in Markdown. */
export function limitsOf(openapi: OpenApi, written: Schema): string[] {
  const schema = merged(openapi, written)
  const { minimum, maximum, minLength, maxLength, maxItems } = schema
  const values = valuesOf(openapi, schema)
  return [
    values.length > 0 && `One of ${values.map(each => `\`${each}\``).join(', ')}`,
    range(minimum, maximum, ''),
    range(minLength, maxLength, ' characters'),
    maxItems !== undefined && `Up to ${number(maxItems)} items`,
    schema.default !== undefined && `Default \`${JSON.stringify(schema.default)}\``,
  ].filter(each => each !== false)
}

function valuesOf(openapi: OpenApi, schema: Schema): unknown[] {
  if (schema.const !== undefined) return [schema.const]
  const variants = (schema.anyOf ?? []).map(each => merged(openapi, each))
  return schema.enum ?? variants.flatMap(each => each.enum ?? [])
}

function range(least: number | undefined, most: number | undefined, unit: string): string | false {
  // If an integer has no maximum, zod writes JavaScript's largest safe integer as its maximum.
  const upper = most === Number.MAX_SAFE_INTEGER ? undefined : most
  const lower = least === -Number.MAX_SAFE_INTEGER ? undefined : least
  if (lower !== undefined && upper !== undefined) return `${number(lower)} to ${number(upper)}${unit}`
  if (upper !== undefined) return `At most ${number(upper)}${unit}`
  return lower !== undefined && lower > 0 && `At least ${number(lower)}${unit}`
}

const number = (value: number): string => value.toLocaleString('en-US')
