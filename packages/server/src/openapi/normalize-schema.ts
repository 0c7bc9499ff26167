// Normalizes a JSON schema from the API document, so that equivalent schemas compare equal. It follows references,
// merges allOf, turns const into an enum of one value, and turns null into a type.

export type Json = { [name: string]: unknown }

export type Shape = {
  /** The allowed types. If undefined, any type is allowed. */
  types: Set<string> | undefined
  /** The values the schema allows, as JSON. If undefined, any value is allowed. */
  values: Set<string> | undefined
  properties: Record<string, Json>
  required: Set<string>
  items: Json | undefined
  /** The schema of a map's values, if this schema describes a map. */
  entries: Json | undefined
  /**
   * The alternatives in oneOf or anyOf. The key of each alternative is a name that stays the same if the
   * alternatives are reordered.
   */
  choices: Record<string, Json>
  /** The values of JSON Schema keywords such as minimum, pattern, format and default. */
  limits: Json
}

const limitNames = [
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'pattern',
  'format',
  'default',
]

export const refOf = (schema: Json): string => (typeof schema.$ref === 'string' ? schema.$ref : '')

export function follow(document: Json, node: Json): Json {
  const ref = refOf(node)
  if (ref === '') return node
  const target = ref
    .slice(2)
    .split('/')
    .reduce<unknown>((value, part) => (value as Json | undefined)?.[part], document)
  if (!target) throw new Error(`${ref} does not exist in the document`)
  const { $ref, ...beside } = node
  return { ...follow(document, target as Json), ...beside }
}

export function shapeOf(document: Json, schema: Json): Shape {
  const { properties, required, ...shape } = wholeOf(document, schema)
  if (Object.keys(shape.choices).length === 0) return { properties, required, ...shape }
  // Fields next to a `oneOf` or `anyOf` apply to each of its alternatives.
  const beside = { properties, required: [...required] }
  const choices = Object.entries(shape.choices).map(([name, each]) => [name, { allOf: [each, beside] }])
  return { ...shape, properties: {}, required: new Set(), choices: Object.fromEntries(choices) }
}

function wholeOf(document: Json, schema: Json): Shape {
  const own = follow(document, schema)
  const variants = namedVariants(document, (own.oneOf ?? own.anyOf ?? []) as Json[])
  const choices = variants.filter(({ name }) => name !== 'null')
  const shape: Shape = {
    types: typesOf(own),
    values: valuesOf(own),
    properties: (own.properties ?? {}) as Record<string, Json>,
    required: new Set((own.required ?? []) as string[]),
    items: own.items as Json | undefined,
    entries: isSchema(own.additionalProperties) ? own.additionalProperties : undefined,
    choices: Object.fromEntries(choices.map(({ name, schema: each }) => [name, each])),
    limits: Object.fromEntries(limitNames.filter(name => name in own).map(name => [name, own[name]])),
  }
  const parts = ((own.allOf ?? []) as Json[]).map(each => wholeOf(document, each))
  // In JSON Schema, a choice between one schema and null is equivalent to that schema with null as an
  // additional type.
  const [only] = choices
  if (only && choices.length === 1) {
    const inner = merged({ ...shape, choices: {} }, wholeOf(document, only.schema))
    if (variants.length > 1) inner.types?.add('null')
    return parts.reduce(merged, inner)
  }
  return parts.reduce(merged, shape)
}

/** Merges two shapes. A value that matches the merged shape matches both original shapes, as `allOf` requires. */
function merged(a: Shape, b: Shape): Shape {
  const shared = Object.keys(a.properties).filter(name => name in b.properties)
  return {
    types:
      a.types && b.types ? new Set([...a.types].filter(type => b.types?.has(type))) : (a.types ?? b.types),
    values:
      a.values && b.values
        ? new Set([...a.values].filter(value => b.values?.has(value)))
        : (a.values ?? b.values),
    properties: {
      ...a.properties,
      ...b.properties,
      ...Object.fromEntries(shared.map(name => [name, { allOf: [a.properties[name], b.properties[name]] }])),
    },
    required: new Set([...a.required, ...b.required]),
    items: b.items ?? a.items,
    entries: b.entries ?? a.entries,
    choices: { ...a.choices, ...b.choices },
    limits: { ...a.limits, ...b.limits },
  }
}

function typesOf({ type }: Json): Set<string> | undefined {
  if (type === undefined) return undefined
  return new Set(Array.isArray(type) ? type : [type as string])
}

function valuesOf({ enum: listed, const: only }: Json): Set<string> | undefined {
  if (Array.isArray(listed)) return new Set(listed.map(value => JSON.stringify(value)))
  return only === undefined ? undefined : new Set([JSON.stringify(only)])
}

/**
 * Gives each alternative of a schema a name that stays the same if the schema becomes a component. The name
 * comes from a field that has a different constant in every alternative. An alternative without such a field is
 * named after its component.
 */
function namedVariants(document: Json, variants: Json[]): { name: string; schema: Json }[] {
  const constants = variants.map(each =>
    Object.entries((follow(document, each).properties ?? {}) as Record<string, Json>)
      .filter(([, field]) => 'const' in field)
      .map(([name, field]) => `${name}=${field.const}`),
  )
  return variants.map((schema, index) => {
    const own = constants[index]?.filter(
      each => !constants.some((other, at) => at !== index && other.includes(each)),
    )
    const component = refOf(schema).split('/').at(-1)
    return { name: own?.join(' ') || component || String(follow(document, schema).type), schema }
  })
}

const isSchema = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0
