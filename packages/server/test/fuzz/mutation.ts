// Changes one part of a valid value, so that the value becomes invalid or reaches the limit of what is allowed. Such
// nearly valid requests are the best way to find a missing check.

import fc from 'fast-check'
import { hostileNumber, hostileText, hostileWord, unstorableText } from './hostile.ts'
import { type Lookup, type Schema, typesOf } from './schema.ts'

type Path = (string | number)[]
/**
 * A place in a JSON value, given by its path and schema. An optional property that is missing also counts as
 * a place.
 */
type Place = { path: Path; schema: Schema }

type Json = { [key: string]: unknown }
const isPlain = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/**
 * Returns all parts of a value that the schema describes, each with its path and schema. The first part is
 * the value itself.
 */
export function placesOf(value: unknown, schema: Schema, lookup: Lookup, path: Path = []): Place[] {
  const own = memberFor(value, schema, lookup)
  const below = (next: unknown, sub: Schema, key: string | number) =>
    placesOf(next, sub, lookup, [...path, key])
  const inside =
    isPlain(value) && own.properties
      ? Object.entries(own.properties).flatMap(([name, property]) => below(value[name], property, name))
      : Array.isArray(value) && own.items
        ? value.flatMap((each, index) => below(each, own.items as Schema, index))
        : []
  return [{ path, schema: own }, ...inside]
}

/**
 * Returns the subschema in oneOf or anyOf whose properties with a fixed value (`const`) match the value
 * `value`.
 */
function memberFor(value: unknown, schema: Schema, lookup: Lookup): Schema {
  if (schema.$ref !== undefined) return memberFor(value, lookup(schema.$ref), lookup)
  const members = (schema.oneOf ?? schema.anyOf)?.map(member => memberFor(value, member, lookup))
  if (!members) return schema
  const fits = ({ properties = {} }: Schema) =>
    Object.entries(properties).every(
      ([name, { const: only }]) => only === undefined || (isPlain(value) && value[name] === only),
    )
  return members.find(fits) ?? members[0] ?? schema
}

/** A mutated value. `what` describes the mutation in the error report. */
export type Mutated = { value: unknown; what: string }

export function nearlyValid(value: unknown, schema: Schema, lookup: Lookup): fc.Arbitrary<Mutated> {
  return fc.constantFrom(...placesOf(value, schema, lookup)).chain(({ path, schema: own }) =>
    fc.oneof(
      replacementOf(own).map(wrong => ({
        value: replaceAt(value, path, wrong),
        what: `${nameOf(path)} replaced`,
      })),
      ...(path.length > 0
        ? [fc.constant({ value: removeAt(value, path), what: `${nameOf(path)} left out` })]
        : []),
      ...(own.properties
        ? [extra.map(([name, more]) => ({ value: addAt(value, path, name, more), what: `${name} added` }))]
        : []),
    ),
  )
}

const nameOf = (path: Path): string => path.join('.') || 'body'

const extra = fc.tuple(
  fc.oneof(
    fc.constantFrom('__proto__', 'constructor', 'toString', 'tenant_id', 'status', 'mode', 'role', 'id', ''),
    fc.string({ maxLength: 8 }),
  ),
  fc.jsonValue({ maxDepth: 1 }),
)

/**
 * Returns replacements for a value with the given schema: values of other types, values in a wrong format, and
 * values at or just beyond a limit.
 */
export function replacementOf(schema: Schema): fc.Arbitrary<unknown> {
  const otherTypes = fc.constantFrom<unknown>(null, true, 0, '', '1', [], {}, [null], { type: 'object' })
  return fc.oneof(
    { weight: 1, arbitrary: otherTypes },
    ...typesOf(schema).map(type => ({ weight: 3, arbitrary: beside(type, schema) })),
    ...(schema.enum || schema.const !== undefined ? [{ weight: 3, arbitrary: otherWord(schema) }] : []),
  )
}

function beside(type: string, schema: Schema): fc.Arbitrary<unknown> {
  switch (type) {
    case 'integer': {
      const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema
      return fc.oneof(fc.constantFrom(minimum - 1, minimum, maximum, maximum + 1), hostileNumber)
    }
    case 'string': {
      const lengths = [(schema.minLength ?? 1) - 1, schema.maxLength ?? 255, (schema.maxLength ?? 255) + 1]
      return fc.oneof(
        fc.constantFrom(...lengths.map(length => 'x'.repeat(length))),
        hostileText,
        hostileWord,
        { weight: 2, arbitrary: unstorableText },
      )
    }
    case 'array':
      return fc
        .constantFrom((schema.maxItems ?? 100) + 1, 5_000)
        .map(length => Array.from({ length }, () => ({})))
    case 'object':
      return fc.object({ maxDepth: 2, values: [fc.string(), fc.integer(), fc.constant(null)] })
    default:
      return fc.jsonValue({ maxDepth: 1 })
  }
}

/** Returns values that differ slightly from an allowed string, for example the same string in upper case. */
function otherWord({ enum: allowed = [], const: only }: Schema): fc.Arbitrary<unknown> {
  const word = String(only ?? allowed[0])
  return fc.constantFrom(word.toUpperCase(), ` ${word}`, `${word}\0`, word.slice(1), `${word},${word}`, [
    word,
  ])
}

export function replaceAt(value: unknown, path: Path, wrong: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return wrong
  if (Array.isArray(value)) return value.map((each, at) => (at === key ? replaceAt(each, rest, wrong) : each))
  return { ...(value as Json), [key]: replaceAt((value as Json)[key], rest, wrong) }
}

export function removeAt(value: unknown, path: Path): unknown {
  const [key, ...rest] = path
  if (key === undefined) return value
  if (Array.isArray(value))
    return rest.length === 0
      ? value.filter((_, at) => at !== key)
      : value.map((each, at) => (at === key ? removeAt(each, rest) : each))
  const { [key]: below, ...others } = value as Json
  return rest.length === 0 ? others : { ...others, [key]: removeAt(below, rest) }
}

/**
 * Adds a property. The property's key is computed, so that `__proto__` becomes an ordinary property, as it
 * does with JSON.parse.
 */
function addAt(value: unknown, path: Path, name: string, more: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return { ...(value as Json), [name]: more }
  if (Array.isArray(value))
    return value.map((each, at) => (at === key ? addAt(each, rest, name, more) : each))
  return { ...(value as Json), [key]: addAt((value as Json)[key], rest, name, more) }
}
