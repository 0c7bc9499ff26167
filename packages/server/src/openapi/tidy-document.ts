// Makes the API document easier to read: sorts its operations, removes redundant keywords, and shares repeated
// parameters. The functions have no side effects.

type Json = Record<string, unknown>
type Described = { tags: string[]; parameters?: (Json & { name: string })[] }
type Paths = Record<string, Record<string, Described>>

/** Sorts the paths by tag order and, within a tag, by the order of the procedures in their router. */
export function inReadingOrder<P extends Paths>(paths: P, tags: string[]): P {
  const placeOf = (operations: Record<string, Described>): number => {
    const places = Object.values(operations).map(operation => tags.indexOf(operation.tags[0] ?? ''))
    if (places.includes(-1))
      throw new Error(
        `at least one of these operations has a tag that is not defined: ${JSON.stringify(Object.values(operations))}`,
      )
    return Math.min(...places)
  }
  return Object.fromEntries(Object.entries(paths).sort(([, a], [, b]) => placeOf(a) - placeOf(b))) as P
}

/**
 * Replaces shared parameters with references, and returns these parameters. Their names end in `Parameter`, because
 * Go generators put parameters and schemas into one namespace. A parameter with `anyOf` is not shared, because
 * oapi-codegen's Go code for it would not compile.
 */
export function shareParameters(paths: Paths): Record<string, Json> {
  const operations = Object.values(paths).flatMap(each => Object.values(each))
  const uses = new Map<string, number>()
  for (const parameter of operations.flatMap(({ parameters }) => parameters ?? [])) {
    const text = JSON.stringify(parameter)
    uses.set(text, (uses.get(text) ?? 0) + 1)
  }
  const shared: Record<string, Json> = {}
  for (const operation of operations) {
    operation.parameters = operation.parameters?.map(parameter => {
      const text = JSON.stringify(parameter)
      const name = `${parameter.name.split(/[_-]/).map(capitalised).join('')}Parameter`
      const isShared = (uses.get(text) ?? 0) > 1 && !('anyOf' in (parameter.schema as Json))
      if (isShared) shared[name] ??= parameter
      return shared[name] && JSON.stringify(shared[name]) === text
        ? ({ $ref: `#/components/parameters/${name}` } as unknown as Json & { name: string })
        : parameter
    }) as NonNullable<Described['parameters']>
    if (operation.parameters === undefined) delete operation.parameters
  }
  return shared
}

const capitalised = (word: string): string => `${word[0]?.toUpperCase()}${word.slice(1)}`

const LARGEST_INT32 = 2 ** 31 - 1

/**
 * Removes keywords without useful information from the API document, and makes types explicit:
 *
 * - Integers are int64 unless their maximum is smaller. Generators often assume 32 bits, which is too few for
 *   amounts above Rp21,474,836.47.
 * - JavaScript's safe-integer bounds, which zod adds, are removed because they are not limits of our API.
 * - If a schema has a `format`, its `pattern` is removed, because the pattern only repeats the format.
 * - `additionalProperties: false` is removed from schemas, because the API may get new fields without notice
 *   (docs/guides/versioning.md).
 * - If a value with a plain type is nullable, its `type` becomes a list of this type and `null`.
 * - Empty default values of fields are removed, because openapi-typescript makes every field with a default
 *   value required.
 */
export function withoutNoise(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNoise)
  if (value === null || typeof value !== 'object') return value
  const whole = nullInType(value as Json)
  const kept = Object.entries(whole).filter(
    ([key, each]) =>
      !(key === 'maximum' && each === Number.MAX_SAFE_INTEGER) &&
      !(key === 'minimum' && each === Number.MIN_SAFE_INTEGER) &&
      !(key === 'pattern' && typeof whole.format === 'string') &&
      !(key === 'additionalProperties' && each === false) &&
      !(key === 'default' && (each === '' || (Array.isArray(each) && each.length === 0))),
  )
  const size = isLarge(whole) ? { format: 'int64' } : {}
  return { ...Object.fromEntries(kept.map(([key, each]) => [key, withoutNoise(each)])), ...size }
}

function isLarge({ type, maximum, format }: Json): boolean {
  const isInteger = type === 'integer' || (Array.isArray(type) && type.includes('integer'))
  return isInteger && format === undefined && !(typeof maximum === 'number' && maximum <= LARGEST_INT32)
}

function nullInType(schema: Json): Json {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema
  const [first, second] = anyOf as [Json, Json]
  const isPlain = typeof first.type === 'string' && !('enum' in first) && !('const' in first)
  if (!isPlain || second.type !== 'null') return schema
  return { ...first, ...rest, type: [first.type, 'null'] }
}
