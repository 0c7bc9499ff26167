// Generates every variation of one field of a provider's message. The functions do no I/O.

/**
 * The name of the variation that replaces a number in a field with another number. This changes the meaning of the
 * message if the field determines a payment's outcome.
 */
export const ANOTHER_VALUE = 'another number'

export type Change = { path: string[]; kind: string; message: unknown }

/**
 * Returns variations of the message. Each one changes, adds, or removes one value, which may be an object or an
 * array.
 */
export function changesOf(message: unknown): Change[] {
  return nodesOf(message).flatMap(({ path, value }) => [
    ...(path.length > 0 ? replacementsOf(value, path, message) : []),
    ...additionsTo(value, path, message),
  ])
}

type Node = { path: string[]; value: unknown }

function nodesOf(value: unknown, path: string[] = []): Node[] {
  const below = isContainer(value) ? Object.entries(value) : []
  return [{ path, value }, ...below.flatMap(([key, each]) => nodesOf(each, [...path, key]))]
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null

function replacementsOf(value: unknown, path: string[], message: unknown): Change[] {
  const others: [string, unknown][] = [
    ['null', null],
    ['empty text', ''],
    ['empty object', {}],
    ['empty list', []],
    ...typesBeside(value),
  ]
  return [
    { path, kind: 'absent', message: withValue(message, path, undefined) },
    ...others.map(([kind, other]) => ({ path, kind, message: withValue(message, path, other) })),
  ]
}

/**
 * Returns named replacements for a value in a message: the same value as another type or with spaces, and other values
 * of other types.
 */
function typesBeside(value: unknown): [string, unknown][] {
  const lossy: [string, unknown] = ['number beyond 2^53', 2 ** 60]
  switch (typeof value) {
    case 'string': {
      const number = Number(value)
      const isNumber = /^\d+(\.00)?$/.test(value) && Number.isSafeInteger(number)
      return [
        isNumber ? ['number', number] : ['number with a fraction', 0.5],
        [ANOTHER_VALUE, 7],
        ['boolean', true],
        ['padded', `  ${value} `],
        lossy,
      ]
    }
    case 'number':
      return [['text', String(value)], ['padded', ` ${value}  `], ['boolean', true], lossy]
    case 'boolean':
      return [
        ['text', String(value)],
        ['number', Number(value)],
      ]
    default:
      return [
        ['text', 'text'],
        ['number', 7],
        ['boolean', true],
      ]
  }
}

/** Returns variations of a message with an added field or entry, or with its fields in a different order. */
function additionsTo(value: unknown, path: string[], message: unknown): Change[] {
  if (!isContainer(value)) return []
  const changed = (kind: string, other: unknown) => ({ path, kind, message: withValue(message, path, other) })
  if (Array.isArray(value))
    return [null, {}, 'text', 7].map(entry => changed(`${JSON.stringify(entry)} appended`, [...value, entry]))
  const added = { unknown_field: { status: 'FAILED', amount: [1, null] } }
  return [
    changed('unknown field', { ...added, ...value }),
    changed('reordered', Object.fromEntries(Object.entries(value).reverse())),
  ]
}

/**
 * Returns the message with another value at the path. If the value is undefined, the field is removed from
 * the message.
 */
function withValue(message: unknown, [key, ...rest]: string[], value: unknown): unknown {
  if (key === undefined) return value
  if (Array.isArray(message)) {
    const entries = message.map((each, index) =>
      String(index) === key ? withValue(each, rest, value) : each,
    )
    return entries.filter(each => each !== undefined)
  }
  const changed = withValue((message as Record<string, unknown>)[key], rest, value)
  return Object.fromEntries(
    Object.entries(message as object).flatMap(([name, each]) => {
      if (name !== key) return [[name, each]]
      return changed === undefined ? [] : [[name, changed]]
    }),
  )
}
